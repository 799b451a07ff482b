import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { toDate } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { DAY_MS, madeHistory } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { answerProperties } from '../../support/properties-oracle.ts'

orderInstantsBy(storedKeyOf)

const PATH = '/properties'

it('counts the events with each property like a brute-force count', async () => {
  const days = fc.array(fc.nat({ max: 4 }), { minLength: 4, maxLength: 4 })
  await holds(
    fc.asyncProperty(madeHistory, days, async ({ events }, lengths) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const [place, length] of lengths.entries()) {
        const to = Math.floor((events[place % events.length]?.datetime as number) / DAY_MS)
        const period = { from: to - length, to }
        const path = `${PATH}?start=${toDate(period.from)}&end=${toDate(to)}&limit=${1 + place}`
        const expected = answerProperties(events, period, 1 + place)
        expect(await (await getJson(path, key)).json()).toEqual({ status_code: 200, message: 'Success', ...expected })
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})

describe('a question', () => {
  it('asks for all of the last 30 days by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    const eventOf = (datetime: number, params: object) => ({ event_type: 'visit', telegram_id: 1, datetime, params })
    const now = eventOf(Date.now(), { now: 1, nothing: null })
    await deliver(messagesOf(applicationId, [now, eventOf(Date.now() - 30 * DAY_MS, { old: 1 })]))
    const response = await getJson(PATH, key)
    expect(response.headers.get('figures-as-of')).toMatch(/Z$/)
    const { data } = await response.json<{ data: { property: string }[] }>()
    expect(data.map(({ property }) => property).filter((property) => property.startsWith('params.'))).toEqual([
      'params.now',
    ])
  })

  it('is rejected with all faults of its parameters', async () => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?limit=10001&start=x&end=y`, key)
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: { loc: string[]; type: string }[] }>()
    expect(detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`)).toEqual([
      'query limit: less_than_equal',
      'query start: value_error',
      'query end: value_error',
    ])
  })
})
