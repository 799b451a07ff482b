import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { madeHistory } from '../../support/event-history.ts'
import { answerLatest } from '../../support/events-oracle.ts'

const PATH = '/events/latest'

it('lists the newest events like a brute-force search', async () => {
  await holds(
    fc.asyncProperty(madeHistory, fc.nat(), async ({ events, names }, place) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      const name = names[place % names.length] as string
      const filter = { prop: 'is_premium', op: 'is' as const, values: [place % 2 === 0] }
      for (const event of [null, name]) {
        for (const filters of [[], [filter]]) {
          const asked = new URLSearchParams({ limit: '100', filters: JSON.stringify(filters), ...(event && { event }) })
          const { data } = await (await getJson(`${PATH}?${asked}`, key)).json<{ data: Told[] }>()
          const expected = answerLatest(events, { event, filters, limit: 100 })
          expect(data.map(({ time }) => time)).toEqual(expected.map(({ time }) => time))
          if (expected.length < 100) expect(inOrder(data)).toEqual(inOrder(expected))
        }
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})

type Told = ReturnType<typeof answerLatest>[number]

/** The keys that put events of one instant in order are nobody's business outside. */
function inOrder(events: readonly Told[]) {
  return events.toSorted((a, b) => (inOneWay(a) < inOneWay(b) ? -1 : 1))
}

/** An event as JSON that does not depend on the order of keys: an answer has parameters by name. */
function inOneWay(event: Told): string {
  return JSON.stringify(event, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  )
}

describe('a question', () => {
  it('asks for twenty events of any name by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    const now = Date.now()
    const events = Array.from({ length: 21 }, (_, place) => ({
      event_type: `visit ${place % 3}`,
      telegram_id: 1 + place,
      datetime: now - place * 3_600_000,
    }))
    await deliver(messagesOf(applicationId, events))
    const response = await getJson(PATH, key)
    expect(response.headers.get('figures-as-of')).toMatch(/Z$/)
    const answer = await response.json<{ data: Told[] }>()
    expect(answer).toMatchObject({ status_code: 200, message: 'Success' })
    expect(answer.data.map(({ telegram_id }) => telegram_id)).toEqual(
      Array.from({ length: 20 }, (_, place) => 1 + place),
    )
    const active = await (await getJson(`${PATH}?event=_active`, key)).json<{ data: Told[] }>()
    expect(active.data).toEqual(answer.data)
  })

  it('finds nothing without events', async () => {
    const { key } = await createPlainApplication()
    for (const query of ['', '?event=never']) {
      expect(await (await getJson(`${PATH}${query}`, key)).json()).toMatchObject({ data: [] })
    }
  })

  it('is rejected with all faults of its parameters', async () => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?limit=101&event=&filters=[{"prop":"age","op":"is","values":[1]}]`, key)
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
    expect(detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`)).toEqual([
      'query event: string_too_short',
      'query filters 0 prop: enum',
      'query limit: less_than_equal',
    ])
  })
})
