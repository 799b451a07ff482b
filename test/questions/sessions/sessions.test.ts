import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedVisits, sessionsQuestion } from '../../support/made-up-sessions.ts'
import { answerAverages, answerLengths, type SessionsQuestion } from '../../support/sessions-oracle.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

const DAY_MS = 86_400_000
const PATHS = ['/sessions/average', '/sessions/length']

interface Averages {
  readonly xValues: { readonly length: number; readonly data: readonly string[] }
  readonly yValues: readonly { readonly name: string; readonly data: readonly number[]; readonly key_value: number }[]
}

it.each([
  ['/sessions/average', answerAverages],
  ['/sessions/length', answerLengths],
] as const)('%s equals a brute-force count', async (path, answerOf) => {
  // Which of two events of an instant comes first is decided by keys that the database makes.
  const cases = askedVisits(sessionsQuestion(path), { questions: 10, withTies: false })
  await expectSameOverHttp<SessionsQuestion, unknown>({ cases, expected: answerOf, atLeast: 3, atMost: 60 })
})

describe('a question', () => {
  it('asks for the last 30 days by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
    await deliver(
      messagesOf(applicationId, [visitOf(midnight), visitOf(midnight - 29 * DAY_MS), visitOf(midnight - 30 * DAY_MS)]),
    )
    const averages = await (await getJson('/sessions/average', key)).json<Averages>()
    expect(averages.xValues).toMatchObject({ length: 30 })
    expect(averages.yValues).toMatchObject([{ key_value: 0 }, { key_value: 2, change: 100 }, { key_value: 2 }])
    expect(await (await getJson('/sessions/length', key)).json()).toMatchObject({ data: { series: [[2, 0, 0, 0, 0]] } })
  })

  it('reports its filters as understood', async () => {
    const { key } = await createPlainApplication()
    const filters = [
      '{"prop": "country", "op": "is", "values": ["de", 5]}',
      '[{"prop": "utm", "op": "is not", "values": ["x"]}, {"prop": "params.a.b", "op": "greater", "values": [true]}]',
    ].map((filter) => `filters=${encodeURIComponent(filter)}`)
    const response = await getJson(`/sessions/length?${filters.join('&')}`, key)
    expect(await response.json()).toMatchObject({
      data: {
        filters: [
          { prop: 'country', op: 'is', values: ['Germany', '5'] },
          { prop: 'start_parameter', op: 'is not', values: ['x'] },
          { prop: 'params.a.b', op: 'greater', values: ['true'] },
        ],
      },
    })
  })

  it('reports up to when events are counted', async () => {
    const { key } = await createPlainApplication()
    for (const path of PATHS) expect((await getJson(path, key)).headers.has('figures-as-of')).toBe(true)
  })

  it.each([
    ['start=20260231', 'start'],
    ['end=2026-11-20', 'end'],
    ['start=20261120&end=20261119', 'start'],
    ['start=20250101&end=20260202', 'start'],
  ])('is rejected with %s', async (parameters, name) => {
    const { key } = await createPlainApplication()
    for (const path of PATHS) {
      const response = await getJson(`${path}?${parameters}`, key)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', name], type: 'value_error' }] })
    }
  })

  it('reports all faults together', async () => {
    const { key } = await createPlainApplication()
    const filters = encodeURIComponent('[{"prop": "age", "op": "is", "values": []}, 5]')
    for (const path of PATHS) {
      const response = await getJson(`${path}?start=x&end=y&filters=${filters}`, key)
      const { detail } = await response.json<{ detail: { loc: unknown }[] }>()
      expect(detail.map(({ loc }) => loc)).toEqual([
        ['query', 'filters', 0, 'prop'],
        ['query', 'filters', 0, 'values'],
        ['query', 'filters', 1],
        ['query', 'start'],
        ['query', 'end'],
      ])
    }
  })
})

function visitOf(datetime: number) {
  return { event_type: 'visit', telegram_id: 1, datetime }
}
