import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { holds } from '../../support/cases.ts'
import { request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { type MadeHistory, madeHistory, type SentEvent } from '../../support/event-history.ts'
import { askedTrends } from '../../support/made-up-trends.ts'
import { tell } from '../../support/telling.ts'
import { answerTrends } from '../../support/trends-oracle.ts'

/** Nobody outside knows the keys of events, which say what came first of one instant. */
const histories = madeHistory.map((history): MadeHistory => {
  const byMoment = new Map(history.events.map((event) => [`${event.telegram_id} ${event.datetime}`, event]))
  return { ...history, events: [...byMoment.values()] }
})

it('answers as looking at every event does, also when events come late', async () => {
  const cases = askedTrends(8, histories)
  await expectSameOverHttp({ cases, expected: answerTrends, arriveFirst: 5, atLeast: 5, atMost: 100 })
})

it('counts nothing of who was erased', async () => {
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

describe('what is wrong', () => {
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
