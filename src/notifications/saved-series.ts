import { Invalid } from '../base/errors.ts'
import type { Calendar } from '../base/time/calendar.ts'
import { MS_PER_HOUR, toDate } from '../base/time/days.ts'
import type { TrendInterval } from '../base/time/divided-period.ts'
import { firstDayOf, intervalOf } from '../base/time/intervals.ts'
import type { Period } from '../base/time/period.ts'
import type { RequestContext } from '../http/context.ts'
import { SAVED } from '../questions/catalogue.ts'
import type { AskedReport, PageAddress, ReportStep } from '../questions/engine/saved.ts'
import { toDateWords, toShortDate, toWeekday } from './words.ts'

/** The figures of a saved report up to the last interval that is over. */
export interface SavedSeries {
  readonly unit: string
  readonly values: readonly (number | null)[]
  readonly last: number | null
  /** The value of the same weekday or hour a week before, or of the week or month before. */
  readonly before: number | null
  /** Names the last interval, and the one that it is compared with. */
  readonly when: string
  readonly whenBefore: string
}

/** How many intervals of each kind are asked about. */
const SHOWN: Readonly<Record<TrendInterval, number>> = { hour: 14, day: 14, week: 8, month: 12 }
const WEEK_DAYS = 7
const WEEK_HOURS = 168

/** A saved report by its address: its page, and its parameters. */
interface SavedAddress extends PageAddress {
  readonly page: string
}

export function toSavedAddress(address: string): SavedAddress {
  return { page: address.replace(/\?.*/s, ''), params: new URLSearchParams(address.replace(/^[^?]*/, '')) }
}

/** Whether alerts can be about it: a report with one figure for each interval. */
export function hasSeries(address: SavedAddress): boolean {
  const saved = SAVED.get(address.page)
  return saved?.toFigures !== undefined && !address.params.has('group_by') && saved.toQuery(address) !== null
}

/** Whether its answer is steps: a funnel. */
export function hasSteps({ page }: SavedAddress): boolean {
  return SAVED.get(page)?.toSteps !== undefined
}

/** Whether digests can show it. */
export function isShowable(address: SavedAddress): boolean {
  return hasSeries(address) || hasSteps(address)
}

interface Asking {
  readonly context: RequestContext
  readonly calendar: Calendar
}

/** Throws what the question throws; `Invalid` for a report without series. */
export async function askSeries(address: SavedAddress, { context, calendar }: Asking): Promise<SavedSeries> {
  const saved = SAVED.get(address.page)
  if (!saved?.toFigures) throw new Invalid([])
  const interval = intervalIn(saved.toQuery(address))
  const period = periodBefore(context.now, interval, calendar)
  const { labels, data, unit } = saved.toFigures(await ask(saved, address, { period, context }), address)
  const isOver = (label: string) => interval !== 'hour' || Date.parse(label) + MS_PER_HOUR <= context.now
  const over = data.slice(0, labels.filter(isOver).length)
  const label = labels[over.length - 1] ?? ''
  const back = interval === 'hour' ? WEEK_HOURS : interval === 'day' ? WEEK_DAYS : 1
  return {
    unit,
    values: over.slice(-SHOWN[interval]),
    last: over.at(-1) ?? null,
    before: over.at(-1 - back) ?? null,
    ...wordsOf(interval, label),
  }
}

function intervalIn(query: ReturnType<AskedReport['toQuery']>): TrendInterval {
  const given = query?.interval ?? 'day'
  return typeof given === 'string' && Object.hasOwn(SHOWN, given) ? (given as TrendInterval) : 'day'
}

/** Whole intervals that are over, enough to compare the last one; of hours, whole days up to now. */
function periodBefore(now: number, interval: TrendInterval, calendar: Calendar): Period {
  const today = calendar.dayOf(now)
  if (interval === 'hour') return { from: today - WEEK_DAYS - 1, to: today }
  const current = intervalOf(today, interval)
  return { from: firstDayOf(current - SHOWN[interval], interval), to: firstDayOf(current, interval) - 1 }
}

function wordsOf(interval: TrendInterval, label: string): Pick<SavedSeries, 'when' | 'whenBefore'> {
  if (interval === 'day') return { when: `on ${toDateWords(label)}`, whenBefore: `the ${toWeekday(label)} before` }
  if (interval === 'hour') {
    return {
      when: `from ${label.slice(11, 16)} UTC on ${toDateWords(label)}`,
      whenBefore: 'at this hour a week before',
    }
  }
  return { when: `in the ${interval} from ${toShortDate(label)}`, whenBefore: `the ${interval} before` }
}

interface Question {
  readonly period: Period
  readonly context: RequestContext
}

/** A day of a query, `YYYYMMDD`. */
export function toQueryPeriod({ from, to }: Period): { readonly start: string; readonly end: string } {
  return { start: toDate(from).replaceAll('-', ''), end: toDate(to).replaceAll('-', '') }
}

function commonQuery({ params }: SavedAddress, period: Period) {
  const filters = params.getAll('filters')
  return { ...toQueryPeriod(period), ...(filters.length > 0 && { filters }) }
}

function ask(saved: AskedReport, address: SavedAddress, { period, context }: Question): Promise<unknown> {
  return saved.ask({ query: { ...commonQuery(address, period), ...saved.toQuery(address) } }, context)
}

/** The steps of a saved funnel for all users. Throws what the question throws; `Invalid` for a report without steps. */
export async function askSteps(address: SavedAddress, asked: Question): Promise<readonly ReportStep[]> {
  const saved = SAVED.get(address.page)
  if (!saved?.toSteps) throw new Invalid([])
  return saved.toSteps(await ask(saved, address, asked))
}
