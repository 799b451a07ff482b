import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { toDate } from '../../support/asking.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { DAY_MS } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedActivities } from '../../support/made-up-activity.ts'
import { answerActivity } from '../../support/user-activity-oracle.ts'
import { visitsOn } from '../../support/visits.ts'

orderInstantsBy(storedKeyOf)

const PATH = '/users/activity'
const today = Math.floor(Date.now() / DAY_MS)

/** Days of the last three months, so that a server may still send their events. */
const days = fc
  .uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12, size: 'max' })
  .map((ago) => ago.map((count) => today - count))

it('equals a brute-force count, in any order of arrival', async () => {
  const cases = askedActivities(days.chain(visitsOn), { questions: 6, today })
  await expectSameOverHttp({ cases, expected: answerActivity, arriveFirst: 3, atLeast: 4, atMost: 100 })
})

interface Answer {
  readonly xValues: { readonly data: readonly string[] }
  readonly yValues: readonly {
    readonly name: string
    readonly data: readonly (number | null)[]
    readonly key_value: number
  }[]
}

async function ask(query: string, key: string): Promise<Answer> {
  const response = await getJson(`${PATH}?${query}`, key)
  expect(response.status).toBe(200)
  return response.json<Answer>()
}

function visit(telegram_id: number, day: number, said: object = {}) {
  return { event_type: 'visit', telegram_id, datetime: day * DAY_MS, ...said }
}

describe('a question', () => {
  it('asks for the last 30 days by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [visit(1, today), visit(2, today - 29), visit(3, today - 30)]))
    const { xValues, yValues } = await ask('', key)
    expect(xValues.data).toHaveLength(30)
    expect(yValues.map(({ name, key_value }) => [name, key_value])).toEqual([
      ['dau', 2],
      ['wau', 1],
      ['mau', 2],
      ['stickiness', 3], // one of two on the first day and on the last, nobody on the 28 days between
      ['new', 2],
      ['returning', 0],
      ['resurrected', 0],
      ['dormant', 2],
    ])
  })

  it('counts nobody as dormant on a day that is not over', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [visit(1, today - 2), visit(2, today - 1), visit(3, today - 1)]))
    const dormantOf = async (from: number, to: number) => {
      const { yValues } = await ask(`start=${toDate(from)}&end=${toDate(to)}`, key)
      return yValues.find(({ name }) => name === 'dormant')
    }
    expect(await dormantOf(today - 1, today + 1)).toMatchObject({ data: [1, null, null], key_value: 1, change: 100 })
    expect(await dormantOf(today, today)).toMatchObject({ data: [null], key_value: 0, change: 0, empty: true })
    expect(await dormantOf(today - 1, today - 1)).toMatchObject({ data: [1], key_value: 1 })
  })

  it('filters events, but not who is new', async () => {
    const { applicationId, key } = await createPlainApplication()
    const events = [visit(1, today - 3), visit(1, today - 2, { country: 'DE' }), visit(2, today - 2, { country: 'DE' })]
    await deliver(messagesOf(applicationId, events))
    const filters = encodeURIComponent('{"prop": "country", "op": "is", "values": ["DE"]}')
    const { yValues } = await ask(`filters=${filters}&start=${toDate(today - 3)}&end=${toDate(today - 2)}`, key)
    const figures = Object.fromEntries(yValues.map(({ name, data }) => [name, data]))
    expect(figures).toMatchObject({ dau: [0, 2], new: [0, 1], resurrected: [0, 1], returning: [0, 0] })
  })

  it('ignores group_by, like all unknown parameters, with a warning', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [visit(1, today, { country: 'DE' })]))
    const warnings = ["'group_by' is not a parameter of this operation."]
    expect(await ask('group_by=country&group_by=nonsense', key)).toEqual({ ...(await ask('', key)), warnings })
  })

  it('reports up to when events are counted', async () => {
    const { key } = await createPlainApplication()
    const response = await getJson(PATH, key)
    expect(response.headers.get('figures-as-of')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('reports all faults together', async () => {
    const { key } = await createPlainApplication()
    const filters = encodeURIComponent('[{"prop": "age", "op": "is", "values": []}]')
    const response = await getJson(`${PATH}?start=x&end=2026-11-20&filters=${filters}`, key)
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
    expect(detail.map(({ loc, type }) => [loc, type])).toEqual([
      [['query', 'filters', 0, 'prop'], 'enum'],
      [['query', 'filters', 0, 'values'], 'too_short'],
      [['query', 'start'], 'value_error'],
      [['query', 'end'], 'value_error'],
    ])
  })

  it.each(['start=20250101&end=20260202', 'start=20261120&end=20261119'])('is rejected with %s', async (query) => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?${query}`, key)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', 'start'], type: 'value_error' }] })
  })
})
