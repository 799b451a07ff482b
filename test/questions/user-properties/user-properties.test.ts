import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGGREGATION_PARAMS } from '../../../src/questions/user-properties/contract.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'

const DAY_MS = 86_400_000
const PATH = '/users/segmentation/aggregated'
const today = Math.floor(Date.now() / DAY_MS)

interface Visit {
  readonly telegram_id: number
  readonly datetime: number
  readonly [property: string]: string | number | boolean | undefined
}

const word = fc.constantFrom(undefined, 'en', 'ru', "o'clock", '%', 'Ünï', '(none)')

/** Times differ, so that no tie decides which event was the latest. */
const visits = fc.uniqueArray(
  fc.record({
    telegram_id: fc.integer({ min: 1, max: 8 }),
    datetime: fc.integer({ min: (today - 20) * DAY_MS, max: today * DAY_MS - 1 }),
    language: word,
    is_premium: fc.constantFrom(true, false, undefined),
    os: word,
    brand: word,
    country: fc.constantFrom(undefined, 'Germany', "Côte d'Ivoire"),
    start_parameter: word,
  }),
  { maxLength: 40, selector: ({ datetime }) => datetime },
)

const question = fc.record({
  param: fc.constantFrom(...AGGREGATION_PARAMS),
  limit: fc.integer({ min: 1, max: 4 }),
  from: fc.integer({ min: today - 12, max: today - 6 }),
  days: fc.integer({ min: 1, max: 6 }),
})

it('counts each user once by the latest event of the period, like a brute-force count', async () => {
  await holds(
    fc.asyncProperty(visits, fc.array(question, { minLength: 4, maxLength: 8 }), async (history, questions) => {
      const { applicationId, key } = await createPlainApplication()
      const events = history.map((visit) => ({ event_type: 'visit', ...visit }))
      if (events.length > 0) await deliver(messagesOf(applicationId, events))
      for (const { param, limit, from, days } of questions) {
        const span = { from, to: from + days - 1 }
        const period = `start=${toText(span.from)}&end=${toText(span.to)}`
        const path = `${PATH}?aggregation_param=${param}&returned_values_limit=${limit}&${period}`
        expect(await (await getJson(path, key)).json()).toEqual(
          expectedAnswer(history as Visit[], { param, limit, ...span }),
        )
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})

interface Question {
  readonly param: string
  readonly limit: number
  readonly from: number
  readonly to: number
}

function expectedAnswer(history: readonly Visit[], { param, limit, from, to }: Question) {
  const latest = latestVisits(history, from, to)
  const counts = new Map<string, number>()
  for (const visit of latest) counts.set(valueIn(visit, param), (counts.get(valueIn(visit, param)) ?? 0) + 1)
  const rows = [...counts].sort(
    ([a, users], [b, others]) => others - users || (Buffer.from(a) < Buffer.from(b) ? -1 : 1),
  )
  const shown = rows.slice(0, limit)
  const before = latestVisits(history, from - (to - from + 1), from - 1).length
  const xValues = { name: param, data: shown.map(([value]) => value), key_value: rows.length }
  const yValues = { name: 'users', data: shown.map(([, users]) => users), key_value: latest.length }
  return {
    selected_property: param,
    data: {
      xValues: { ...xValues, data_type: 'time_series', length: shown.length, empty: shown.length === 0 },
      yValues: [
        {
          ...yValues,
          data_type: 'time_series',
          length: shown.length,
          empty: shown.length === 0,
          change: changeOf(latest.length, before),
        },
      ],
      time_zone: 'UTC',
    },
    status_code: 200,
    message: 'Success',
  }
}

function latestVisits(history: readonly Visit[], from: number, to: number): Visit[] {
  const latest = new Map<number, Visit>()
  for (const visit of history) {
    const day = Math.floor(visit.datetime / DAY_MS)
    const known = latest.get(visit.telegram_id)
    if (day >= from && day <= to && (!known || visit.datetime > known.datetime)) latest.set(visit.telegram_id, visit)
  }
  return [...latest.values()]
}

function valueIn(visit: Visit, param: string): string {
  return String(visit[param] ?? '(none)')
}

/** In whole percent, halves away from zero; small figures only. */
function changeOf(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  const hundredths = Math.abs(now - before) * 200 + before
  return Math.sign(now - before) * Math.floor(hundredths / (2 * before)) + 0
}

function toText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
}

describe('a question', () => {
  it('asks for at most 20 languages of the last 30 days by default', async () => {
    const { applicationId, key } = await createPlainApplication()
    const speakers = Array.from({ length: 25 }, (_, place) =>
      visitOf({ telegram_id: place + 1, language: `l${place}` }),
    )
    const old = visitOf({ telegram_id: 99, datetime: Date.now() - 31 * DAY_MS, language: 'old' })
    await deliver(messagesOf(applicationId, [...speakers, old]))
    const answer = await (await getJson(PATH, key)).json<{ selected_property: string; data: { xValues: object } }>()
    expect(answer.selected_property).toBe('language')
    expect(answer.data.xValues).toMatchObject({ length: 20, key_value: 25 })
  })

  it.each([
    ['aggregation_param=age', 'aggregation_param', 'enum'],
    ['returned_values_limit=0', 'returned_values_limit', 'greater_than_equal'],
    ['returned_values_limit=101', 'returned_values_limit', 'less_than_equal'],
    ['returned_values_limit=many', 'returned_values_limit', 'int_parsing'],
    ['start=20260231', 'start', 'value_error'],
    ['end=2026-11-20', 'end', 'value_error'],
    ['start=20261120&end=20261119', 'start', 'value_error'],
    ['start=20250101&end=20260202', 'start', 'value_error'],
  ])('is rejected with %s', async (parameters, name, type) => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?${parameters}`, key)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', name], type }] })
  })

  it('reports all faults together', async () => {
    const { key } = await createPlainApplication()
    const response = await getJson(`${PATH}?aggregation_param=age&returned_values_limit=0&start=x&end=y`, key)
    expect((await response.json<{ detail: unknown[] }>()).detail).toHaveLength(4)
  })
})

function visitOf(parts: Partial<Visit>) {
  return { event_type: 'visit', datetime: Date.now(), ...parts }
}
