import type { PublicApplication } from '../../accounts/applications/applications.ts'
import { type ActivitySource, readActivity } from '../../accounts/applications/placement.ts'
import { type Calendar, calendarOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { RequestContext } from '../../http/context.ts'
import type { AsOf } from '../engine/as-of.ts'
import { setAnswerHeaders } from '../engine/question.ts'
import { toReading } from '../engine/reading.ts'
import { MONTH_DAYS, type MonthlyFigures } from '../rollups/daily-figures.ts'
import { readAsOf } from './as-of.ts'
import { type FiguresQuery, selectFigures, selectLastActive, selectNewest } from './sql.ts'

export interface DayFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
  readonly premiumUsers: number
  readonly nonPremiumUsers: number
}

/** A question for an application's figures, with the calendar whose days it counts. */
export interface CalendarFiguresQuery extends FiguresQuery {
  readonly calendar: Calendar
}

const ZEROS = { monthlyActiveUsers: 0, premiumUsers: 0, nonPremiumUsers: 0 }

/**
 * Reads an application's figures: one entry per day of the period, oldest first, zero where nothing happened; and the
 * moment up to which they are complete. The moment is read first, so that it is never too late. Stored and missing days
 * are read in one transaction, so that figures written meanwhile count exactly once.
 */
export async function readFigures(
  query: CalendarFiguresQuery,
  { questions, env, now }: Pick<RequestContext, 'questions' | 'env' | 'now'>,
): Promise<AsOf<DayFigures[]>> {
  const reading = toReading({ questions, env })
  const asOf = await readAsOf(query, { ...reading, now })
  const [figures, newest] = await questions.batch([selectFigures(questions, query), selectNewest(questions, query)])
  const activity = activityOf(query, newest)
  const lastActive = activity ? await readLastActive({ ...query, ...activity }, reading) : []
  const missing = new Map(countMissing(query, newest, lastActive).map((day) => [day.day, day.monthlyActiveUsers]))
  const byDay = new Map(figures.map((day) => [day.day, day]))
  const data = daysIn(query).map((day) => {
    const { monthlyActiveUsers, ...rest } = byDay.get(day) ?? { day, ...ZEROS }
    return { ...rest, monthlyActiveUsers: monthlyActiveUsers + (missing.get(day) ?? 0) }
  })
  return { asOf, data }
}

/** Reads an application's figures of the last days, today included. Sets the headers with the moment and the time zone. */
export async function readLastFigures(
  { id: applicationId, objects, timeZone }: Pick<PublicApplication, 'id' | 'objects' | 'timeZone'>,
  days: number,
  context: Pick<RequestContext, 'questions' | 'env' | 'now' | 'setHeader'>,
): Promise<DayFigures[]> {
  const calendar = calendarOf(timeZone)
  const to = calendar.dayOf(context.now)
  const { asOf, data } = await readFigures({ applicationId, objects, calendar, from: to - days + 1, to }, context)
  setAnswerHeaders({ asOf, timeZone }, context)
  return data
}

/** Reads how many users of each partition were last active on each day, from each partition's own database. */
function readLastActive(query: CalendarFiguresQuery, reading: ActivitySource): Promise<LastActive[]> {
  const { from: first, to, calendar } = query
  const starts = daysIn({ from: first, to: to + 1 }).map((day) => calendar.startOf(day))
  return readActivity(query.applicationId, reading, async (parts) => {
    const counts = await Promise.all(
      parts.map(async ({ db, has }) =>
        (await selectLastActive(db, query, { first, starts })).filter(({ part }) => has(part)),
      ),
    )
    return counts.flat()
  })
}

/** The newest day for which a partition has figures. */
interface Newest {
  readonly part: number
  readonly day: number
}

/** The number of a partition's users who were last active on a day. */
interface LastActive extends Newest {
  readonly users: number
}

/** The days of last activity that determine the figures of days without any; null if all days have figures. */
function activityOf(period: Period, newest: readonly Newest[]): Period | null {
  const from = Math.max(period.from, Math.min(...newest.map(({ day }) => day)) + 1)
  return from <= period.to ? { from: from - (MONTH_DAYS - 1), to: period.to } : null
}

/**
 * Counts the monthly active users of days for the partitions that have no figures for them yet. No figures are written
 * while nothing happens and cron does not run, yet these days have monthly active users: those last active in the 30
 * days until then, because figures reach the day after the last activity.
 */
function countMissing(period: Period, newest: readonly Newest[], lastActive: readonly LastActive[]): MonthlyFigures[] {
  const newestOf = new Map(newest.map(({ part, day }) => [part, day]))
  return daysIn(period).map((day) => {
    const counted = lastActive.filter(
      (last) => (newestOf.get(last.part) ?? day) < day && last.day <= day && last.day > day - MONTH_DAYS,
    )
    return { day, monthlyActiveUsers: counted.reduce((sum, { users }) => sum + users, 0) }
  })
}
