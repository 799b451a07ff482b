import { type DividedPeriod, dividedByDay, undivided } from '../../base/time/divided-period.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { RollingUsers } from '../../columns/rolling-users.ts'
import { batchesOf } from '../../columns/selection/batches.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection, type IntervalBatch, markPicked, type Picked } from '../../columns/selection/selection.ts'
import { type AnyFraction, type Fraction, meanOf, unrounded } from '../engine/change.ts'
import type { CellOf } from '../engine/contract.ts'
import { countedBy } from '../engine/figures.ts'
import { createPace } from '../engine/pace.ts'
import { countOf, type Figures } from '../engine/series.ts'
import { count, list, record, type TotalOf, totalReport } from '../engine/totals.ts'
import { MONTH_DAYS } from '../rollups/daily-figures.ts'
import { activityFigures, WEEK_DAYS } from './contract.ts'

/** A question about who was active on the days of a period. */
export interface UserActivityQuery extends Period {
  readonly filters: readonly Filter[]
  readonly before: Period
}

const byDay = list(count)

/** Users by day, from the first day of the preceding period to the last day of the period. */
const activity = record({
  dau: byDay,
  wau: byDay,
  mau: byDay,
  new: byDay,
  returning: byDay,
  resurrected: byDay,
  dormant: byDay,
  /** Distinct users of as many days as the period has, up to each day. */
  wholePeriod: byDay,
})

export type ActivityCounts = TotalOf<typeof activity>

export const userActivityReport = totalReport('user activity', activity, countActivity)

function* countActivity(columns: Columns, query: UserActivityQuery): Generator<void, ActivityCounts> {
  const { filters, from, to, before } = query
  const periodDays = to - from + 1
  // Whoever was active in the month that ends with the first day counts on that day.
  const days = { from: before.from - MONTH_DAYS + 1, to }
  const newUsers = createNewUsers(columns.userCount, yield* columns.firstDays(), days)
  const rolling = new RollingUsers(columns.userCount, days, Math.max(MONTH_DAYS, periodDays))
  const period = dividedByDay(columns.calendar, days)
  let current = days.from
  for (const { interval, rows } of activeUsers(columns, { filters, period, isOrdered: true })) {
    const day = days.from + interval
    // Once a day: with a filter on parameters there is a batch for each name.
    if (day !== current) yield
    current = day
    rolling.add(day, rows)
    newUsers.add(day, rows)
  }
  const [dau, ofTwoDays] = [rolling.within(1), rolling.within(2)]
  const returning = dau.map((users, day) => users + (dau[day - 1] ?? 0) - (ofTwoDays[day] as number))
  const shown = (users: readonly number[]) => users.slice(MONTH_DAYS - 1)
  return {
    dau: shown(dau),
    wau: shown(rolling.within(WEEK_DAYS)),
    mau: shown(rolling.within(MONTH_DAYS)),
    new: shown(newUsers.byDay),
    returning: shown(returning),
    resurrected: shown(dau.map((users, day) => users - (newUsers.byDay[day] as number) - (returning[day] as number))),
    dormant: shown(ofTwoDays.map((users, day) => users - (dau[day] as number))),
    wholePeriod: shown(rolling.within(periodDays)),
  }
}

interface ActiveDays {
  readonly filters: readonly Filter[]
  readonly period: DividedPeriod
  /** Whether its days come in order. Where a filter looks at parameters, another order takes less time. */
  readonly isOrdered: boolean
}

/** Reads the users who are active on each day, or in the whole period if that is not divided. */
function activeUsers(columns: Columns, { filters, period, isOrdered }: ActiveDays): Iterable<IntervalBatch> {
  const properties = filters.map(({ property }) => property)
  const asked = { event: null, properties, needsEvents: false, needsSegments: !isOrdered }
  return batchesOf(columns, createSelection(columns, { filters }), asked, period)
}

/** Finds and counts by day users who are active on the day of their first event ever. */
function createNewUsers(userCount: number, firstDays: Int32Array, { from, to }: Period) {
  const found = new Uint8Array(userCount)
  const byDay: number[] = new Array(to - from + 1).fill(0)
  return {
    byDay: byDay as readonly number[],
    /** One byte per user: 1 for a new one. */
    found,
    add(day: number, { users, from: first, to: end }: Picked): void {
      let count = 0
      for (let index = first; index < end; index++) {
        const user = users[index] as number
        if (firstDays[user] === day) {
          count += 1 - (found[user] as number)
          found[user] = 1
        }
      }
      byDay[day - from] = (byDay[day - from] as number) + count
    },
  }
}

/** One series for each way to look at who is active. `finished`: how many days of the period are over; below 0 if it begins later. */
export function toFigures(counts: ActivityCounts, finished: number): Figures<AnyFraction, number | null>[] {
  const { dau, wau, mau, wholePeriod } = counts
  const stickiness = dau.map((users, day) => ({ part: 100 * users, whole: mau[day] as number }))
  return [
    { name: 'dau', data: periodsOf(dau).now, ...headlines(wholePeriod, lastOf) },
    { name: 'wau', data: periodsOf(wau).now, ...headlines(wau, lastOf) },
    { name: 'mau', data: periodsOf(mau).now, ...headlines(mau, lastOf) },
    { name: 'stickiness', data: periodsOf(stickiness).now.map(unrounded), ...headlines(stickiness, meanOf) },
    ...(['new', 'returning', 'resurrected'] as const).map((name) => ({
      name,
      data: periodsOf(counts[name]).now,
      ...headlines(counts[name], totalOf),
    })),
    // On a day that is not over, users who have not come yet are not dormant. Both headlines count equally many days.
    {
      name: 'dormant',
      data: periodsOf(counts.dormant).now.map((users, day) => (day < finished ? users : null)),
      ...headlines(counts.dormant, (days) => totalOf(days.slice(0, Math.max(0, finished)))),
    },
  ]
}

/** Splits days into two consecutive periods of equal length. */
function periodsOf<T>(days: readonly T[]) {
  const middle = days.length / 2
  return { before: days.slice(0, middle), now: days.slice(middle) }
}

function headlines<T>(days: readonly T[], headlineOf: (days: readonly T[]) => AnyFraction) {
  const { before, now } = periodsOf(days)
  return { headline: headlineOf(now), before: headlineOf(before) }
}

function lastOf(days: readonly number[]): Fraction {
  return countOf(days.at(-1) ?? 0)
}

function totalOf(days: readonly number[]): Fraction {
  return countOf(days.reduce((sum, users) => sum + users, 0))
}

type ActivitySeries = CellOf<typeof activityFigures>['series']

const COMPARED_WITH_DAY_BEFORE: ReadonlySet<ActivitySeries> = new Set(['returning', 'resurrected', 'dormant'])

/** The users who were active on a day, or who came or went on it. */
export const activityUsers = countedBy(activityFigures, {
  toQuery({ filters }, { series, day }, { period: { from, to }, today }) {
    // Nobody is dormant on a day that is not over.
    const period = { from, to: series === 'dormant' ? Math.min(to, today - 1) : to }
    return { series, filters, ...daysOf(series, period, day) }
  },
  *find(columns, { series, filters, from, to }) {
    const comparesDays = COMPARED_WITH_DAY_BEFORE.has(series)
    const active = new Uint8Array(series === 'new' ? 0 : columns.userCount)
    const dayBefore = new Uint8Array(comparesDays ? columns.userCount : 0)
    const isAboutNew = series === 'new' || series === 'resurrected'
    const newUsers = isAboutNew ? createNewUsers(columns.userCount, yield* columns.firstDays(), { from, to }) : null
    const days = { from: comparesDays ? from - 1 : from, to }
    const period = comparesDays || isAboutNew ? dividedByDay(columns.calendar, days) : undivided(days)
    const pace = createPace()
    for (const { interval, rows, looked } of activeUsers(columns, { filters, period, isOrdered: false })) {
      const day = days.from + interval
      if (series !== 'new') markPicked(rows, day < from ? dayBefore : active)
      if (day >= from) newUsers?.add(day, rows)
      if (pace.isDue(looked)) yield
    }
    if (series === 'returning') return active.map((is, user) => is & (dayBefore[user] as number))
    if (series === 'dormant') return dayBefore.map((was, user) => was & ~(active[user] as number))
    if (!newUsers) return active
    if (series === 'new') return newUsers.found
    return active.map((is, user) => is & ~((dayBefore[user] as number) | (newUsers.found[user] as number)))
  },
})

/** The days that a figure covers; none if its day is outside the period. */
function daysOf(series: ActivitySeries, { from, to }: Period, day: number | undefined): Period {
  if (day !== undefined && (day < from || day > to)) return { from: 0, to: -1 }
  const last = day ?? to
  if (series === 'wau') return { from: last - WEEK_DAYS + 1, to: last }
  if (series === 'mau') return { from: last - MONTH_DAYS + 1, to: last }
  return { from: day ?? from, to: last }
}
