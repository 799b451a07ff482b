import { compareTexts } from '../../base/text/order.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { NEVER } from '../../columns/first-days.ts'
import { increase } from '../../columns/flat-arrays.ts'
import type { Report } from '../engine/report.ts'

/** A question about what a user did on each day of a period. */
export interface UserDaysQuery {
  readonly telegramId: number
  readonly period: Period
  readonly before: Period
}

export interface UserDays {
  /** The number of events per day of the period. */
  readonly events: readonly number[]
  /** The number of events in the preceding period. */
  readonly before: number
  readonly names: readonly NamedEvents[]
}

interface NamedEvents {
  readonly name: string
  readonly events: number
}

/** The most names that an answer lists. */
export const MAX_NAMES = 100

/** Counts a user's events per day; null without events of the user. All events of a user are in one object. */
export const userDaysReport: Report<UserDaysQuery, UserDays | null, UserDays | null> = {
  name: 'days of a user',
  part: countUserDays,
  result: (parts) => parts.find((part) => part !== null) ?? null,
}

function* countUserDays(columns: Columns, query: UserDaysQuery): Generator<void, UserDays | null> {
  const { period, before } = query
  const user = columns.userOf(query.telegramId)
  if (user === null) return null
  const firstDays = yield* columns.firstDays()
  if ((firstDays[user] ?? NEVER) === NEVER) return null
  const earlier = yield* countIn(columns, user, before)
  const { days, names } = yield* countIn(columns, user, period)
  return {
    events: [...days],
    before: earlier.days.reduce((sum, events) => sum + events, 0),
    names: mostFrequent(names),
  }
}

function* countIn(columns: Columns, user: number, period: Period) {
  const days = new Uint32Array(period.to - period.from + 1)
  const names = new Map<string, number>()
  for (const day of daysIn(period)) {
    for (const { length, codes, names: own } of columns.timelinesOf(day, { from: user, to: user + 1 })) {
      increase(days, day - period.from, length)
      for (const code of codes) {
        const name = own[code] as string
        names.set(name, (names.get(name) ?? 0) + 1)
      }
    }
    yield
  }
  return { days, names }
}

function mostFrequent(names: ReadonlyMap<string, number>): NamedEvents[] {
  return [...names]
    .map(([name, events]) => ({ name, events }))
    .sort((a, b) => b.events - a.events || compareTexts(a.name, b.name))
    .slice(0, MAX_NAMES)
}
