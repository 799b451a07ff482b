import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedVisits, pathsQuestion } from '../../support/made-up-sessions.ts'
import { answerPaths } from '../../support/paths-oracle.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

const PATH = '/events/paths'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

// Which of two events of an instant comes first is decided by keys that the database makes.
const cases = askedVisits(pathsQuestion, { questions: 10, withTies: false })

it('equals walking through every event', async () => {
  await expectSameOverHttp({ cases, expected: answerPaths, atLeast: 3, atMost: 60 })
})

describe('a question', () => {
  it('asks for three steps after events of the last 30 days by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
    const walk = (start: number) =>
      ['a', 'b', 'b', 'c', 'd', 'e'].map((event_type, minute) => did(event_type, start + minute * MINUTE_MS))
    await deliver(messagesOf(applicationId, [...walk(midnight - 29 * DAY_MS), ...walk(midnight - 30 * DAY_MS)]))
    expect(await (await getJson(`${PATH}?event=a`, key)).json()).toEqual({
      data: [
        { step: 1, from: 'a', to: 'b', count: 1, users: 1 },
        { step: 2, from: 'b', to: 'c', count: 1, users: 1 },
        { step: 3, from: 'c', to: 'd', count: 1, users: 1 },
      ],
      status_code: 200,
      message: 'Success',
    })
  })

  it('reports up to when events are counted, and finds nothing after an event that never occurred', async () => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?event=never`, key)
    expect(response.headers.has('figures-as-of')).toBe(true)
    expect(await response.json()).toMatchObject({ data: [] })
  })

  it.each([
    ['', 'event', 'missing'],
    ['event=', 'event', 'string_too_short'],
    [`event=${'x'.repeat(256)}`, 'event', 'string_too_long'],
    ['event=_active', 'event', 'value_error'],
    ['event=a&direction=up', 'direction', 'enum'],
    ['event=a&steps=0', 'steps', 'greater_than_equal'],
    ['event=a&steps=6', 'steps', 'less_than_equal'],
    ['event=a&steps=two', 'steps', 'int_parsing'],
    ['event=a&start=20260231', 'start', 'value_error'],
    ['event=a&start=20250101&end=20260202', 'start', 'value_error'],
  ])('is rejected with %s', async (parameters, name, type) => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?${parameters}`, key)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', name], type }] })
  })

  it('reports all faults together', async () => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?direction=up&steps=0&filters=5&start=x&end=y`, key)
    const { detail } = await response.json<{ detail: { loc: string[] }[] }>()
    expect(detail.map(({ loc }) => loc[1])).toEqual(['event', 'direction', 'steps', 'filters', 'start', 'end'])
  })
})

function did(event_type: string, datetime: number) {
  return { event_type, telegram_id: 1, datetime }
}
