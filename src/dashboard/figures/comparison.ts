import type { OwnApplication } from '../../accounts/applications/applications.ts'
import { dataSince } from '../../accounts/applications/kept.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { monthsBefore, toDate, utcDayOf } from '../../base/time/days.ts'
import type { TrendInterval } from '../../base/time/divided-period.ts'
import { SAME_DAYS } from '../../base/time/intervals.ts'
import { daysIn, type Period, precedingPeriod } from '../../base/time/period.ts'
import type { QueryParams } from '../../http/params.ts'
import { askAbout } from '../../questions/engine/ask.ts'
import { firstEventReport } from '../../questions/first-event/first-event.ts'
import { MONTH_DAYS } from '../../questions/rollups/daily-figures.ts'
import { commonQuery, daysOf, endsToday, toQuery, type View } from '../request/address.ts'
import { type ApplicationRequest, besideFigures } from '../request/application-request.ts'
import { attempt } from '../request/problem.tsx'
import { type Clock, counted, toDay, toLocalDate, toTime, toWeekday } from '../words/format.ts'

/** The text in place of a change if the earlier period is before the application's first event. */
export const NO_EARLIER_DATA = 'No earlier data'

export interface EarlierData {
  /** Whether there were events before this day: growth from a time without any means nothing. */
  readonly isBefore: (day: number) => boolean
  /** Whether there were events before the month that ends with this day. */
  readonly isBeforeMonthOf: (day: number) => boolean
}

/** Asks when an application's first event was. Where that cannot be said right now, nothing is compared. */
export async function findEarlierData(
  application: Pick<OwnApplication, 'id' | 'objects' | 'timeZone'>,
  context: Parameters<typeof besideFigures>[0],
): Promise<EarlierData> {
  const { data: answer } = await attempt(askAbout(application, firstEventReport, null, besideFigures(context)))
  const { dayOf } = calendarOf(application.timeZone)
  const first = answer && Number.isFinite(answer.data) ? dayOf(answer.data) : Number.POSITIVE_INFINITY
  const isBefore = (day: number) => first < day
  return { isBefore, isBeforeMonthOf: (day) => isBefore(day - MONTH_DAYS + 1) }
}

/** `previous 30 days` */
export function previousPeriod(view: View): string {
  if (daysOf(view) > 1) return `previous ${counted(daysOf(view), 'day')}`
  return endsToday(view) ? 'all of yesterday (today is not over)' : 'previous day'
}

/** `Previous period (24 Sep – 23 Oct 2026)` */
export function previousSeries({ period }: View): string {
  const before = period && precedingPeriod(period)
  return before ? `Previous period (${describePeriod(before)})` : 'Previous period'
}

/** The days of the previous period as `Sun, 11 Oct 2026`, in order. */
function previousDays({ period }: View): string[] {
  return period ? daysIn(precedingPeriod(period)).map((day) => toWeekday(toDate(day))) : []
}

/** The line of the previous period; `times` are those of the view's own days by default. */
export function lineBefore(view: View, data: readonly (number | null)[], times = previousDays(view)) {
  return { name: previousSeries(view), data, times, isBefore: true }
}

interface ComparedIntervals {
  readonly interval: TrendInterval
  /** The parameter `compare` of trends. */
  readonly compare: string
  /** The first days of the intervals; for hours, the moments at which they begin. */
  readonly labels: readonly string[]
}

/** What the intervals of trends are compared with: their first days, or their hours. */
export function comparedTimes(
  { period }: View,
  { interval, compare, labels }: ComparedIntervals,
  clock: Pick<Clock, 'timeZone'>,
): string[] {
  const days = compare === '28d' ? SAME_DAYS : period ? daysIn(period).length : 0
  return labels.map((label) => {
    const day = utcDayOf(Date.parse(interval === 'hour' ? toLocalDate(label, clock) : label))
    if (interval === 'hour') return `${toWeekday(toDate(day - days))}, ${toTime(label, clock).slice(0, -':00'.length)}`
    if (compare === '28d') return toWeekday(toDate(day - days))
    if (interval === 'month') return toWeekday(toDate(monthsBefore(day, labels.length)))
    return toWeekday(toDate(day - labels.length * (interval === 'week' ? 7 : 1)))
  })
}

/** `24 Oct – 22 Nov 2026`, or a single day. */
export function describePeriod({ from, to }: Period): string {
  const [first = '', last = ''] = [from, to].map((day) => toDay(toDate(day)))
  const isOneYear = first.slice(-4) === last.slice(-4)
  return from === to ? first : `${isOneYear ? first.slice(0, -5) : first} – ${last}`
}

export interface Compared<T> {
  readonly earlier: EarlierData
  /** Period and filters of that time; null if there is none to compare with. */
  readonly query: QueryParams | null
  /** Null also if it could not be answered. */
  readonly before: T | null
}

/** Asks about the time before, if figures can be compared with it. */
export async function askBefore<T>(
  request: ApplicationRequest,
  ask: (query: QueryParams) => Promise<T>,
): Promise<Compared<T>> {
  const earlier = await findEarlierData(request.application, request.context)
  const query = queryBefore(request, earlier)
  const { data: before } = query ? await attempt(ask(query)) : { data: null }
  return { earlier, query, before }
}

/** A change as it is shown: null if the earlier period is not known, or had nothing (a change of null); missing if nobody could count it. */
export function knownChange(isKnown: boolean, before: unknown, change: number | null): number | null | undefined {
  return !isKnown ? null : before === null ? undefined : change
}

/** Null if the earlier period is not known. */
function queryBefore({ view, application }: ApplicationRequest, earlier: EarlierData): QueryParams | null {
  const before = view.period && precedingPeriod(view.period)
  return before && isComparable(before.from, { application, earlier })
    ? { ...commonQuery(view), ...toQuery(before) }
    : null
}

interface ComparedApplication {
  readonly application: KeptApplication
  readonly earlier: EarlierData
}

/** Whether figures can be compared with those of a time that begins on this day: all of it must be kept and lie after the first event. */
export function isComparable(first: number, { application, earlier }: ComparedApplication): boolean {
  return isKnown(first, application) && earlier.isBefore(first)
}

/** Whether figures can be compared with the preceding period or, with `days`, with the same period that many days earlier. */
export async function hasEarlier({ view, application, context }: ApplicationRequest, days?: number): Promise<boolean> {
  if (!view.period) return false
  const first = days === undefined ? precedingPeriod(view.period).from : view.period.from - days
  return isKnown(first, application) && (await findEarlierData(application, context)).isBefore(first)
}

export type KeptApplication = Pick<OwnApplication, 'keptFrom'>

/** Whether questions know everything about a day, and about all days after it. */
export function isKnown(day: number, { keptFrom }: KeptApplication): boolean {
  return keptFrom === null || day >= dataSince(keptFrom)
}
