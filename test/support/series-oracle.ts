import { DAY_MS } from './event-history.ts'
import { compareTexts } from './filter-oracle.ts'
import { dayIn } from './zones.ts'

/** Series, periods and changes as docs/rules.md (1, 5, 6) has them. Shares no code with the service. */

export interface LabelSeries {
  readonly name: string
  readonly data_type: 'time_series'
  readonly data: readonly string[]
  readonly length: number
  readonly key_value: number
  readonly empty: boolean
}

export interface NumberSeries {
  readonly name: string
  readonly data_type: 'time_series'
  readonly data: readonly number[]
  readonly length: number
  readonly key_value: number
  readonly empty: boolean
  readonly change: number
}

/** Days, both inclusive, of a time zone: of UTC where none is named. */
export interface Period {
  readonly from: number
  readonly to: number
  readonly timeZone?: string
}

/** So many days up to today. */
export function daysUntil(today: number, count: number): number[] {
  return daysOf({ from: today - count + 1, to: today })
}

/** Whether a moment lies in a period. */
export function isIn(time: number, { from, to, timeZone }: Period): boolean {
  const day = dayIn(time, timeZone)
  return day >= from && day <= to
}

export function daysOf({ from, to }: Period): number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place)
}

/** What the days of a period are gathered in. */
export type Interval = 'hour' | 'day' | 'week' | 'month'

/** The first day of the interval that a day lies in: back to the Monday, or to the first of the month. */
export function firstDayOf(day: number, interval: Interval): number {
  const date = new Date(day * DAY_MS)
  if (interval === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS
  return interval === 'week' ? day - ((date.getUTCDay() + 6) % 7) : day
}

/** The first day of the next interval. */
export function nextFirstDay(first: number, interval: Interval): number {
  return interval === 'month' ? firstDayOf(first + 31, interval) : first + (interval === 'week' ? 7 : 1)
}

/** The fields that every answer with series has beside them. */
export function answerFields({ timeZone = 'UTC' }: Pick<Period, 'timeZone'>) {
  return { time_zone: timeZone, status_code: 200, message: 'Success' }
}

export function precedingPeriod({ from, to, timeZone }: Period): Period {
  const days = to - from + 1
  return { from: from - days, to: to - days, ...(timeZone && { timeZone }) }
}

/** `YYYY-MM-DD` of a day. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

export function labelSeries(name: string, data: readonly string[]): LabelSeries {
  const { length } = data
  return { name, data_type: 'time_series', data, length, key_value: length, empty: length === 0 }
}

export function numberSeries<Figure extends number | null>(
  parts: Pick<NumberSeries, 'name' | 'key_value' | 'change'> & { readonly data: readonly Figure[] },
) {
  const { length } = parts.data
  return { ...parts, data_type: 'time_series' as const, length, empty: !parts.data.some((value) => value) }
}

/** A headline that is not rounded yet; both whole numbers. */
export interface Ratio {
  readonly of: number
  readonly per: number
}

/** In whole percent, halves away from zero. Whole numbers all the way. */
export function changeOf(now: Ratio, before: Ratio): number {
  const is = amountOf(now) * perOf(before)
  const was = amountOf(before) * perOf(now)
  if (was === 0) return is > 0 ? 100 : 0
  return Math.sign(is - was) * roundedQuotient(100 * Math.abs(is - was), was) + 0
}

/** Rounded half up. */
export function rounded(ratio: Ratio): number {
  return roundedQuotient(amountOf(ratio), perOf(ratio))
}

/** A ratio, which is 0 if there is nobody. */
function amountOf({ of, per }: Ratio): number {
  return per === 0 ? 0 : of
}

function perOf({ per }: Ratio): number {
  return per === 0 ? 1 : per
}

/** The rounded quotient of two whole numbers that are not negative. */
function roundedQuotient(dividend: number, divisor: number): number {
  const doubled = 2 * dividend + divisor
  return (doubled - (doubled % (2 * divisor))) / (2 * divisor)
}

const MAX_GROUPS = 20

export interface Grouped {
  readonly values: readonly string[]
  readonly series: NumberSeries
}

/** The largest groups, ties by name, and by their first values where the names are the same. */
export function largest<T extends Grouped>(groups: readonly T[]): T[] {
  return groups
    .toSorted(
      (a, b) =>
        b.series.key_value - a.series.key_value ||
        compareTexts(a.series.name, b.series.name) ||
        compareTexts(a.values[0] ?? '', b.values[0] ?? ''),
    )
    .slice(0, MAX_GROUPS)
}

/** The fields about groups as a whole; `sumUp` is the series of those beyond the largest, where they add up. */
export function groupFields<Other>(
  { length }: readonly unknown[],
  groupBy: readonly string[],
  isAdditive: boolean,
  sumUp: () => Other,
) {
  if (groupBy.length === 0) return {}
  return { groups_total: length, ...(isAdditive && length > MAX_GROUPS && { other: sumUp() }) }
}

/** The items by their groups; one group of everything, even of nothing, where none are asked for. */
export function byGroup<T>(items: readonly T[], groupBy: readonly string[], valuesOf: (item: T) => readonly string[]) {
  if (groupBy.length === 0) return [{ values: [] as readonly string[], members: items }]
  const groups = Map.groupBy(items, (item) => JSON.stringify(valuesOf(item)))
  return [...groups].map(([key, members]) => ({ values: JSON.parse(key) as readonly string[], members }))
}

export function isSameGroup(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
