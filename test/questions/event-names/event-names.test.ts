import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { askPeriod, toPath } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { DAY_MS, madeHistory } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { answerNames } from '../../support/event-names-oracle.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { filtersOf } from '../../support/made-up-questions.ts'

orderInstantsBy(storedKeyOf)

const PATH = '/events/names'

const cases = madeHistory.chain((history) => {
  const question = fc.record({
    filters: filtersOf(history),
    limit: fc.integer({ min: 1, max: 3 }),
    offset: fc.nat({ max: 2 }),
    place: fc.nat(),
  })
  return fc.record({
    events: fc.constant(history.events),
    asked: fc.array(question, { minLength: 4, maxLength: 4 }),
  })
})

it('lists the names of a period like a brute-force count', async () => {
  await holds(
    fc.asyncProperty(cases, async ({ events, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { place, ...rest } of asked) {
        const event = events[place % events.length] as (typeof events)[number]
        const to = Math.floor(event.datetime / DAY_MS)
        const question = { ...rest, contains: event.event_type.slice(0, place % 2), from: to - (place % 5), to }
        const { filters, limit, offset } = question
        const path = toPath(PATH, [
          ['contains', question.contains],
          ['filters', JSON.stringify(filters)],
          ['limit', String(limit)],
          ['offset', String(offset)],
          ...askPeriod({ from: question.from, to }),
        ])
        const { names, total } = answerNames(events, question)
        const data = names.map(({ first, last, ...counts }) => ({
          ...counts,
          first_seen_at: new Date(first).toISOString(),
          last_seen_at: new Date(last).toISOString(),
        }))
        const answer = await getDirectly(path, key)
        expect(answer).toEqual({ status_code: 200, message: 'Success', limit, offset, total, data })
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})

describe('a question', () => {
  it('searches for control characters as spaces, as in stored names', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [{ event_type: 'line\nfeed', telegram_id: 1, datetime: Date.now() }]))
    const answer = await (await getJson(`${PATH}?contains=${encodeURIComponent('e\nf')}`, key)).json()
    expect(answer).toMatchObject({ total: 1, data: [{ name: 'line feed' }] })
  })

  it('asks for the first hundred names of the last 30 days by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    const events = Array.from({ length: 101 }, (_, place) => ({
      event_type: `name ${place}`,
      telegram_id: 1,
      datetime: Date.now(),
    }))
    const old = { event_type: 'old', telegram_id: 1, datetime: Date.now() - 30 * DAY_MS }
    await deliver(messagesOf(applicationId, [...events, old]))
    const response = await getJson(PATH, key)
    expect(response.headers.get('figures-as-of')).toMatch(/Z$/)
    const { data, ...rest } = await response.json<{ data: object[] }>()
    expect(data).toHaveLength(100)
    expect(rest).toMatchObject({ limit: 100, offset: 0, total: 101 })
  })

  it('filters leave out names without a passing event, while first and last times are those of all events', async () => {
    const { applicationId, key } = await createPlainApplication()
    const noon = (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS + DAY_MS / 2
    const event = (event_type: string, minute: number, country: string) => {
      return { event_type, telegram_id: minute, datetime: noon + minute * 60_000, country }
    }
    const orders = [event('order', 1, 'FR'), event('order', 2, 'DE'), event('order', 3, 'DE'), event('order', 4, 'FR')]
    await deliver(messagesOf(applicationId, [...orders, event('visit', 5, 'FR')]))
    const filters = encodeURIComponent('{"prop": "country", "op": "is", "values": ["DE"]}')
    expect(await (await getJson(`${PATH}?filters=${filters}`, key)).json()).toMatchObject({
      total: 1,
      data: [
        {
          name: 'order',
          events: 2,
          users: 2,
          first_seen_at: new Date(noon + 60_000).toISOString(),
          last_seen_at: new Date(noon + 4 * 60_000).toISOString(),
        },
      ],
    })
  })

  it('is rejected with all faults of its parameters', async () => {
    const { key } = await createPlainApplication()
    const filters = encodeURIComponent('[{"prop": "age", "op": "is", "values": []}]')
    const bad = `limit=0&offset=-1&start=x&end=20261340&contains=${'x'.repeat(256)}&filters=${filters}`
    const response = await getJson(`${PATH}?${bad}`, key)
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: { loc: string[]; type: string }[] }>()
    expect(detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`)).toEqual([
      'query contains: string_too_long',
      'query limit: greater_than_equal',
      'query offset: greater_than_equal',
      'query filters 0 prop: enum',
      'query filters 0 values: too_short',
      'query start: value_error',
      'query end: value_error',
    ])
    expect((await getJson(`${PATH}?limit=1001`, key)).status).toBe(422)
    expect((await getJson(`${PATH}?start=20250101&end=20260202`, key)).status).toBe(422)
  })
})
