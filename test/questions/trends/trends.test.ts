import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { holds } from '../../support/cases.ts'
import { request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { madeHistory, type SentEvent, withoutTies } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedTrends } from '../../support/made-up-trends.ts'
import { tell } from '../../support/telling.ts'
import { answerTrends } from '../../support/trends-oracle.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

const histories = madeHistory.map(withoutTies)

it('equals a brute-force count, also when events arrive late', async () => {
  const cases = askedTrends(8, histories)
  await expectSameOverHttp({ cases, expected: answerTrends, arriveFirst: 5, atLeast: 3, atMost: 100 })
})

it('does not count erased users', async () => {
  await holds(
    fc.asyncProperty(askedTrends(3, histories), async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      const [{ telegram_id: erased }] = events as [SentEvent]
      const { status } = await request(`/users/${erased}`, { method: 'DELETE', headers: { 'x-api-key': key } })
      expect(status).toBe(202)
      const left = events.filter(({ telegram_id }) => telegram_id !== erased)
      for (const { question, path } of asked) {
        await expect
          .poll(() => getDirectly(path, key), { message: tell(left, question, path) })
          .toEqual(answerTrends(left, question))
      }
    }),
    { atLeast: 3, atMost: 20, endOnFailure: true },
  )
})

it('asks for seven days by default if counted by the hour', async () => {
  const { key } = await createPlainApplication()
  const path = '/events/trends?series=%5B%7B%22event%22:%22a%22%7D%5D&interval=hour&end=20261122'
  const { xValues } = await getDirectly<{ xValues: { data: string[] } }>(path, key)
  expect([xValues.data.length, xValues.data[0], xValues.data.at(-1)]).toEqual([
    168,
    '2026-11-16T00:00:00Z',
    '2026-11-22T23:00:00Z',
  ])
})

describe('faults', () => {
  let key: string
  beforeAll(async () => {
    ;({ key } = await createPlainApplication())
  })

  async function faultsOf(query: Record<string, string>) {
    const path = `/events/trends?${new URLSearchParams(query)}`
    const { detail } = await getDirectly<{ detail: { loc: unknown[]; type: string; msg: string }[] }>(path, key)
    return detail.map(({ loc, type }) => [...loc, type])
  }

  const ONE = '[{"event": "a"}]'

  it.each<[Record<string, string>, unknown[][]]>([
    [{}, [['query', 'series', 'missing']]],
    [{ series: '[' }, [['query', 'series', 'json_invalid']]],
    [{ series: '5' }, [['query', 'series', 0, 'dict_type']]],
    [{ series: 'null' }, [['query', 'series', 0, 'missing']]],
    [{ series: '[{"event": null}]' }, [['query', 'series', 0, 'event', 'missing']]],
    [
      { series: '[{"evnt": "a"}]' },
      [
        ['query', 'series', 0, 'event', 'missing'],
        ['query', 'series', 0, 'evnt', 'extra_forbidden'],
      ],
    ],
    [{ series: '[{"event": "a", "moed": "totals"}]' }, [['query', 'series', 0, 'moed', 'extra_forbidden']]],
    [
      { series: '[{"event": "a", "filters": [{"prop": null, "op": "is", "values": ["5"], "valeus": []}]}]' },
      [
        ['query', 'series', 0, 'filters', 0, 'prop', 'missing'],
        ['query', 'series', 0, 'filters', 0, 'valeus', 'extra_forbidden'],
      ],
    ],
    [{ series: '[{"event": "a", "mode": "sum", "of": "params."}]' }, [['query', 'series', 0, 'of', 'value_error']]],
    [{ series: '[[]]' }, [['query', 'series', 0, 'dict_type']]],
    [{ series: '[]' }, [['query', 'series', 'too_short']]],
    [{ series: JSON.stringify(Array(7).fill({ event: 'a' })) }, [['query', 'series', 'too_long']]],
    [
      { series: '[{"event": "a"}, {"mode": "many"}]' },
      [
        ['query', 'series', 1, 'event', 'missing'],
        ['query', 'series', 1, 'mode', 'enum'],
      ],
    ],
    [{ series: '[{"event": "a", "mode": "sum"}]' }, [['query', 'series', 0, 'of', 'missing']]],
    [{ series: '[{"event": "a", "of": "params.x"}]' }, [['query', 'series', 0, 'of', 'value_error']]],
    [
      { series: '[{"event": "a", "filters": [{"prop": "shoe", "op": "is", "values": ["5"]}]}]' },
      [['query', 'series', 0, 'filters', 0, 'prop', 'enum']],
    ],
    [{ series: ONE, formula: 'A+' }, [['query', 'formula', 0, 'value_error']]],
    [{ series: ONE, formula: '' }, [['query', 'formula', 0, 'string_too_short']]],
    [{ series: ONE, formula: 'A'.repeat(201) }, [['query', 'formula', 0, 'string_too_long']]],
    [{ series: ONE, formula: '["A", "B"]' }, [['query', 'formula', 1, 'value_error']]],
    [{ series: ONE, formula: '["A", "A", "A", "A"]' }, [['query', 'formula', 'too_long']]],
    [{ series: ONE, formula: 'A', group_by: 'city' }, [['query', 'group_by', 'value_error']]],
    [{ series: '[{"event": "a"}, {"event": "b"}]', group_by: 'city' }, [['query', 'group_by', 'value_error']]],
    [{ series: ONE, group_by: 'city,country' }, [['query', 'group_by', 1, 'too_long']]],
    [{ series: ONE, interval: 'year' }, [['query', 'interval', 'enum']]],
    [{ series: ONE, interval: 'hour', start: '20261101', end: '20261115' }, [['query', 'start', 'value_error']]],
    [{ series: ONE, interval: 'week', start: '20250101', end: '20261115' }, [['query', 'start', 'value_error']]],
    [{ series: ONE, compare: 'year' }, [['query', 'compare', 'enum']]],
    [{ series: ONE, first_time: 'maybe' }, [['query', 'first_time', 'bool_parsing']]],
  ])('%j', async (query, faults) => expect(await faultsOf(query)).toEqual(faults))
})
