import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { get, post } from './client.ts'

/** What the questions about events are asked of: days, events that are sent, and answers that are read. */

export const DAY_MS = 86_400_000
const STORED_WITHIN_MS = 60_000
const DAYS_OF_A_STRETCH = 300

/** Midnight of a day, this many days ago. */
export function daysAgo(count: number): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS - count * DAY_MS
}

/** A day as a query has it: `YYYYMMDD`. */
export function compact(day: number): string {
  return dateOf(day).replaceAll('-', '')
}

/** A day as an answer has it: `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

/** The period of these days, both inclusive. */
export function period(first: number, last = first) {
  return { start: compact(first), end: compact(last) }
}

/** A name of an event that no other test and no other run has. */
export function nameOf(word: string): string {
  return `${word} ${randomUUID().slice(0, 8)}`
}

interface SentEvent {
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
}

/** An event of a user at a time, and what else is said of it. */
export function did(event_type: string, telegram_id: number, datetime: number, said: object = {}): SentEvent {
  return { event_id: randomUUID(), event_type, telegram_id, datetime, ...said } as SentEvent
}

/** Sends events, whose names are of this run alone and which lie within 366 days, and waits until each is counted. */
export async function collect(events: readonly SentEvent[]): Promise<void> {
  const response = await post('/v1/client/events', events)
  expect(await response.json()).toEqual({ status_code: 200, message: 'Success', accepted: events.length })
  for (const [event, own] of Map.groupBy(events, ({ event_type }) => event_type)) {
    const days = own.map(({ datetime }) => datetime)
    const question = { event, mode: 'totals', ...period(Math.min(...days), Math.max(...days)) }
    const count = async () => (await ask('/events/segmentation', question)).yValues[0]?.key_value
    await vi.waitFor(async () => expect(await count()).toBe(own.length), { timeout: STORED_WITHIN_MS, interval: 200 })
  }
}

/** A list is written as the parameter repeated. */
export type Query = Readonly<Record<string, string | number | readonly string[]>>

export function pathOf(path: string, query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((text) => [name, String(text)] as [string, string]),
  )
  return `${path}?${new URLSearchParams(parameters)}`
}

interface Series<T> {
  readonly name: string
  readonly data_type: string
  readonly data: readonly T[]
  readonly length: number
  readonly key_value: number
  readonly empty: boolean
  readonly change?: number
}

export interface Answer {
  readonly xValues: Series<string>
  readonly yValues: readonly Series<number>[]
  readonly steps: readonly Readonly<Record<string, unknown>>[]
}

/** The answer to a question; `aggregated` has its series one level deeper. */
export async function ask(path: string, query: Query): Promise<Answer> {
  const response = await get(pathOf(path, query))
  const body = (await response.json()) as Answer & { data?: Answer }
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body.data ?? body
}

/** The figures of each series, by its name, in the order of the answer. */
export function figuresOf({ yValues }: Answer): [name: string, data: readonly number[]][] {
  return yValues.map(({ name, data }) => [name, data])
}

/**
 * Midnight of the first of this many days on which nothing has happened yet. Each test file looks in a stretch of time of
 * its own (the first one begins 300 days ago), so that files that run at the same time do not meet.
 */
export async function findQuietDays(count: number, stretch: 1 | 2 | 3 | 4): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const offset = count + Math.floor(Math.random() * (DAYS_OF_A_STRETCH - count))
    const first = daysAgo(stretch * DAYS_OF_A_STRETCH + offset)
    const question = { event: '_active', mode: 'totals', ...period(first, first + (count - 1) * DAY_MS) }
    if ((await ask('/events/segmentation', question)).yValues[0]?.key_value === 0) return first
  }
  throw new Error('This application has events everywhere: give the tests an account of their own.')
}
