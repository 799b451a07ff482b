import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { toDate } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { getJson, request, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { DAY_MS, type SentEvent, withoutTies } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { answerLtv, type LtvQuestion } from '../../support/ltv-oracle.ts'
import { askedLtvs, askedRevenues, paymentsOn } from '../../support/made-up-payments.ts'
import { settle } from '../../support/objects.ts'
import { placements, spreadOver } from '../../support/placement.ts'
import { answerRevenue, type RevenueQuestion } from '../../support/revenue-oracle.ts'
import { tell } from '../../support/telling.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

const today = Math.floor(Date.now() / DAY_MS)

/** Histories of the last months, so that a server may still send them. */
const histories = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8, size: 'max' })
  .chain((ago) => paymentsOn(ago.map((count) => today - count)))

interface Life {
  readonly objects: number
  readonly databases: readonly number[]
  /** In the order of arrival, some of it twice. */
  readonly deliveries: readonly (readonly SentEvent[])[]
  /** The user to erase once everything has arrived. */
  readonly erased: number | null
}

function lifeOf(events: readonly SentEvent[]): fc.Arbitrary<Life> {
  return fc.constantFrom(1, 2, 4).chain((objects) =>
    fc.record({
      objects: fc.constant(objects),
      databases: placements(objects),
      deliveries: fc
        .tuple(fc.shuffledSubarray([...events], { minLength: events.length }), fc.subarray([...events]), fc.nat(3))
        .map(([all, again, first]) => [all.slice(0, first + 1), all.slice(first + 1), again]),
      erased: fc.constantFrom(null, ...events.map(({ telegram_id }) => telegram_id)),
    }),
  )
}

/** An application with these rules, to which this happens; returns its key, and what is left. */
async function live(events: readonly SentEvent[], { objects, databases, deliveries, erased }: Life, rules: unknown) {
  const { applicationId, key, handle } = await createPlainApplication()
  await spreadOver(applicationId, objects, databases)
  expect((await sendJson('PUT', `/applications/${handle}/revenue-rules`, { key, body: { rules } })).status).toBe(200)
  for (const some of deliveries) if (some.length > 0) await deliver(messagesOf(applicationId, some))
  // Asked before somebody is erased, so that objects know them.
  await settle(applicationId, objects)
  await getJson('/revenue', key)
  if (erased === null) return { key, left: events }
  const answer = await request(`/users/${erased}`, { method: 'DELETE', headers: { 'x-api-key': key } })
  expect(answer.status).toBe(202)
  await workOnJobs(applicationId)
  await settle(applicationId, objects)
  return { key, left: events.filter(({ telegram_id }) => telegram_id !== erased) }
}

describe('with events late, repeated and in any order, and users erased', () => {
  it('revenue equals a brute-force count', async () => {
    const cases = askedRevenues(histories, { questions: 4 }).chain((told) =>
      fc.record({ told: fc.constant(told), life: lifeOf(told.history.events) }),
    )
    await holds(
      fc.asyncProperty(cases, async ({ told: { history, asked }, life }) => {
        const { key, left } = await live(history.events, life, asked[0]?.question.rules)
        for (const { question, path } of asked) {
          const [property = ''] = question.groupBy
          const expected = { ...answerRevenue(left, question as RevenueQuestion), groupBy: property }
          const answer = await getDirectly<object>(path, key)
          expect(answer, tell(left, question, path)).toEqual({ ...expected, time_zone: 'UTC', ...SUCCESS })
        }
      }),
      { atLeast: 3, atMost: 100, endOnFailure: true },
    )
  })

  it('lifetime value equals a brute-force count', async () => {
    const cases = askedLtvs(histories.map(withoutTies), { questions: 4, today }).chain((told) =>
      fc.record({ told: fc.constant(told), life: lifeOf(told.history.events) }),
    )
    await holds(
      fc.asyncProperty(cases, async ({ told: { history, asked }, life }) => {
        const { key, left } = await live(history.events, life, asked[0]?.question.rules)
        for (const { question, path } of asked) {
          const [property = ''] = question.groupBy
          const expected = { ...answerLtv(left, question as LtvQuestion), groupBy: property }
          const answer = await getDirectly<object>(path, key)
          expect(answer, tell(left, question, path)).toEqual({ data: [expected], ...SUCCESS })
        }
      }),
      { atLeast: 3, atMost: 100, endOnFailure: true },
    )
  })
})

const SUCCESS = { status_code: 200, message: 'Success' }

describe('a question', () => {
  const paid = (telegram_id: number, day: number, total_amount: unknown, said: object = {}) => ({
    event_type: 'telegram_message',
    telegram_id,
    datetime: day * DAY_MS,
    params: { content: 'successful_payment', currency: 'XTR', total_amount, ...said },
  })

  interface Answer {
    readonly currency: string
    readonly skipped: number
    readonly yValues: readonly { readonly name: string; readonly total: number; readonly key_value: number }[]
  }

  async function totalsOf(query: string, key: string) {
    const { yValues, currency, skipped } = await getDirectly<Answer>(`/revenue?${query}`, key)
    return { ...Object.fromEntries(yValues.map(({ name, total }) => [name, total])), currency, skipped }
  }

  it('is answered for bots without configuration', async () => {
    const { applicationId, key } = await createPlainApplication()
    const refund = paid(1, today, 100, { content: 'refunded_payment' })
    const renewal = paid(1, today, 150, { is_recurring: true })
    const events = [paid(1, today - 1, 100), renewal, refund, paid(2, today, '0.1', { currency: 'usd' })]
    const skipped = [paid(3, today, 'much'), paid(3, today, -5), paid(3, today, 5, { currency: null })]
    const all = [...events, ...skipped].map((event, place) => ({ ...event, event_id: String(place) }))
    await deliver(messagesOf(applicationId, all))
    expect(await totalsOf('', key)).toEqual({
      ...{ net: 150, gross: 250, refunds: 100, payments: 2, payers: 1, new_payers: 1, arpu: 50, arppu: 150 },
      ...{ currency: 'XTR', skipped: 3 },
    })
    // A cent has two decimals.
    expect(await totalsOf('currency=USD', key)).toMatchObject({ net: 0.001, payers: 1, new_payers: 1 })
  })

  it('adds up exactly, and answers in Stars if nothing was paid', async () => {
    const { applicationId, key, handle } = await createPlainApplication()
    expect(await totalsOf('', key)).toMatchObject({ currency: 'XTR', net: 0, arpu: 0, arppu: 0 })
    const rule = { event: 'Order', kind: 'sale', amount: 'params.price', currency: 'EUR', unit: 'major' }
    await sendJson('PUT', `/applications/${handle}/revenue-rules`, { key, body: { rules: [rule] } })
    const order = (price: unknown, place: number) => ({
      event_type: 'Order',
      event_id: `order ${place}`,
      telegram_id: 1,
      datetime: today * DAY_MS + place,
      params: { price },
    })
    await deliver(messagesOf(applicationId, [0.1, 0.2, '0.000000001'].map(order)))
    await settle(applicationId)
    expect(await totalsOf('', key)).toMatchObject({ currency: 'EUR', net: 0.300000001 })
  })

  it.each([
    ['currency=%24', 'currency'],
    ['currency=a', 'currency'],
    ['currency=XTR&currency=EUR', 'currency'],
    ['group_by=country,os', 'group_by'],
    [`start=${toDate(today)}&end=${toDate(today - 1)}`, 'start'],
  ])('is rejected with %s', async (query, field) => {
    const { key } = await createPlainApplication()
    for (const path of ['/revenue', '/revenue/ltv']) {
      const response = await getJson(`${path}?${query}`, key)
      expect(response.status).toBe(422)
      const { detail } = await response.json<{ detail: { loc: string[] }[] }>()
      expect(detail.map(({ loc }) => loc[1])).toEqual([field])
    }
  })
})
