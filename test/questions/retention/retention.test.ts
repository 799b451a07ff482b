import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { toDate } from '../../support/asking.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { DAY_MS, withoutTies } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedRetentions } from '../../support/made-up-retention.ts'
import { answerRetention } from '../../support/retention-oracle.ts'
import { visitsOn } from '../../support/visits.ts'

orderInstantsBy(storedKeyOf)

const PATH = '/retention'
const today = Math.floor(Date.now() / DAY_MS)

/** Histories of the last three months, so that a server may still send them. */
const histories = fc
  .uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12, size: 'max' })
  .chain((ago) => visitsOn(ago.map((count) => today - count)))
  .map(withoutTies)

it('equals a brute-force count, in any order of arrival', async () => {
  const cases = askedRetentions(histories, { questions: 8, today })
  await expectSameOverHttp({ cases, expected: answerRetention, arriveFirst: 3, atLeast: 4, atMost: 100 })
})

interface Answer {
  readonly data: readonly {
    readonly cohorts: Readonly<Record<string, number>>
    readonly retentionMatrix: readonly (readonly string[])[]
    readonly combinedRetention: readonly number[]
    readonly combinedComplete: readonly boolean[]
    readonly totalUsers: number
    readonly groupBy: string
    readonly groups: readonly { readonly name: string; readonly totalUsers: number }[]
  }[]
}

async function ask(query: string, key: string): Promise<Answer['data'][number]> {
  const response = await getJson(`${PATH}?${query}`, key)
  expect(response.status).toBe(200)
  const { data } = await response.json<Answer>()
  return data[0] as Answer['data'][number]
}

function visit(telegram_id: number, day: number, said: object = {}) {
  return { event_type: 'visit', telegram_id, datetime: day * DAY_MS, ...said }
}

function lastDays(from: number, to = today): string {
  return `start=${toDate(from)}&end=${toDate(to)}`
}

describe('a question', () => {
  it('asks for the last 30 days by day by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [visit(1, today - 30), visit(2, today - 29), visit(2, today - 28)]))
    const { cohorts, retentionMatrix, combinedRetention, totalUsers, groupBy, groups } = await ask('', key)
    expect(Object.values(cohorts)).toEqual([1, ...new Array(29).fill(0)])
    expect(retentionMatrix.map((row) => row.length)).toEqual(Array.from({ length: 30 }, (_, place) => 30 - place))
    expect(retentionMatrix[0]?.slice(0, 3)).toEqual(['100.00', '100.00', '0.00'])
    expect(combinedRetention.slice(0, 3)).toEqual([100, 100, 0])
    expect({ totalUsers, groupBy, groups }).toEqual({ totalUsers: 1, groupBy: '', groups: [] })
  })

  it('ends with the interval that contains today, and has no intervals if it begins later', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [visit(1, today)]))
    expect(await ask(lastDays(today - 1, today + 9), key)).toEqual(await ask(lastDays(today - 1), key))
    expect(await ask(`${lastDays(today + 40, today + 45)}&interval=month`, key)).toEqual({
      ...{ cohorts: {}, retentionMatrix: [], combinedRetention: [], combinedComplete: [] },
      ...{ totalUsers: 0, groupBy: '', groups: [] },
    })
  })

  it('names the property as the request does', async () => {
    const { applicationId, key } = await createPlainApplication()
    const events = [visit(1, today, { start_parameter: 'spring' }), visit(2, today), visit(3, today)]
    await deliver(messagesOf(applicationId, events))
    const { groupBy, groups } = await ask(`${lastDays(today)}&group_by=utm`, key)
    expect(groupBy).toBe('utm')
    expect(groups.map(({ name, totalUsers }) => [name, totalUsers])).toEqual([
      ['(none)', 2],
      ['spring', 1],
    ])
  })

  it('rounds cells half up, and combined retention not at all', async () => {
    const { applicationId, key } = await createPlainApplication()
    const users = Array.from({ length: 32 }, (_, place) => place + 1)
    await deliver(messagesOf(applicationId, [...users.map((user) => visit(user, today - 1)), visit(1, today)]))
    const { retentionMatrix, combinedRetention } = await ask(lastDays(today - 1), key)
    expect(retentionMatrix).toEqual([['100.00', '3.13'], ['0.00']])
    expect(combinedRetention).toEqual([100, 3.125])
  })

  it('averages the cohorts whose interval is over, as acquisition does, and marks columns without any', async () => {
    const { applicationId, key } = await createPlainApplication()
    const came = [visit(1, today - 2), visit(2, today - 2), ...[3, 4, 5, 6].map((user) => visit(user, today - 1))]
    await deliver(messagesOf(applicationId, [...came, visit(1, today - 1), visit(3, today), visit(1, today)]))
    const averages = async (query: string) => {
      const { combinedRetention, combinedComplete } = await ask(query, key)
      return [combinedRetention, combinedComplete]
    }
    expect(await averages(lastDays(today - 2))).toEqual([
      [100, 50, 50],
      [true, true, false],
    ])
    expect(await averages(lastDays(today - 1))).toEqual([
      [100, 25],
      [true, false],
    ])
    // Until the last day is over, everybody may still come back in it.
    expect(await averages(`${lastDays(today - 2)}&mode=unbounded`)).toEqual([
      [100, (100 * 2) / 6, 50],
      [false, false, false],
    ])
    expect(await averages(`${lastDays(today - 2, today - 1)}&mode=unbounded`)).toEqual([
      [100, 50],
      [true, true],
    ])
    const acquired = await (await getJson(`/acquisition?${lastDays(today - 2)}`, key)).json()
    expect(acquired).toMatchObject({ all: { d1: 50, d7: null }, total: 1, groups_total: 1 })
  })

  it('compares names as collection stores them', async () => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, [visit(1, today, { event_type: 'line\nfeed' })]))
    const name = encodeURIComponent('line\nfeed')
    expect(await ask(`${lastDays(today)}&start_event=${name}&return_event=${name}`, key)).toMatchObject({
      totalUsers: 1,
      combinedRetention: [100],
    })
  })

  it('reports up to when events are counted', async () => {
    const { key } = await createPlainApplication()
    const { headers } = await getJson(PATH, key)
    expect(headers.get('figures-as-of')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(headers.get('time-zone')).toBe('UTC')
  })

  it.each([
    ['interval=hour', ['interval'], 'enum'],
    ['interval=day&interval=week', ['interval'], 'enum'],
    ['mode=N', ['mode'], 'enum'],
    ['start_event=', ['start_event'], 'string_too_short'],
    ['return_event=a&return_event=b', ['return_event'], 'string_type'],
    ['group_by=age', ['group_by', 0], 'enum'],
    ['group_by=country&group_by=city', ['group_by', 1], 'too_long'],
    ['group_by=country,city,os', ['group_by', 1], 'too_long'],
    ['filters=x', ['filters'], 'json_invalid'],
    ['start=20261120&end=20261119', ['start'], 'value_error'],
    ['start=20231231&end=20241231', ['start'], 'value_error'],
    ['interval=week&start=20231231&end=20241230', ['start'], 'value_error'],
    ['interval=month&start=20221231&end=20241201', ['start'], 'value_error'],
  ])('is rejected with %s', async (query, loc, type) => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?${query}`, key)
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
    expect(detail.map((fault) => [fault.loc, fault.type])).toEqual([[['query', ...loc], type]])
  })

  it.each([
    ['start=20240101&end=20241231', 366],
    ['interval=week&start=20240101&end=20241231', 53], // to the Sunday of the next year
    ['interval=month&start=20230131&end=20241201', 24],
  ])('may be as long as with %s', async (query, intervals) => {
    const { key } = await createPlainApplication()
    expect((await ask(query, key)).retentionMatrix).toHaveLength(intervals)
  })

  it('reports all faults together', async () => {
    const { key } = await createPlainApplication()
    const query = 'interval=year&mode=all&start_event=&group_by=age,country&filters=[]x&start=x&end=y'
    const response = await getJson(`${PATH}?${query}`, key)
    const { detail } = await response.json<{ detail: { loc: unknown[] }[] }>()
    expect(detail.map(({ loc }) => loc.slice(1).join('.'))).toEqual([
      'interval',
      'start_event',
      'mode',
      'filters',
      'group_by.0',
      'group_by.1',
      'start',
      'end',
    ])
  })
})
