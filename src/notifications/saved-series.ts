import type { Calendar } from '../base/time/calendar.ts'
import { MS_PER_HOUR, toDate } from '../base/time/days.ts'
import type { TrendInterval } from '../base/time/divided-period.ts'
import { firstDayOf, intervalOf } from '../base/time/intervals.ts'
import type { Period } from '../base/time/period.ts'
import type { RequestContext } from '../http/context.ts'
import { segmentEventsRoute } from '../questions/event-segments/routes.ts'
import { analyzeFunnelRoute } from '../questions/funnels/routes.ts'
import { getRevenueRoute } from '../questions/revenue/routes.ts'
import { eventsQuery, funnelQuery, trendsQuery } from '../questions/saved/contract.ts'
import { analyzeTrendsRoute } from '../questions/trends/routes.ts'
import { getUserActivityRoute } from '../questions/user-activity/routes.ts'
import { toDateWords, toShortDate, toWeekday } from './words.ts'

/** The figures of a saved report up to the last interval that is over. */
export interface SavedSeries {
  readonly figure: string
  /** `%`, a currency, or nothing. */
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

interface Answered {
  readonly figure: string
  readonly unit: string
  readonly labels: readonly string[]
  readonly data: readonly (number | null)[]
}

/** A saved report by its address: its page, and its parameters. */
interface SavedAddress {
  readonly page: string
  readonly params: URLSearchParams
}

export function toSavedAddress(address: string): SavedAddress {
  return { page: address.replace(/\?.*/s, ''), params: new URLSearchParams(address.replace(/^[^?]*/, '')) }
}

/** Whether alerts can be about it: a report with one figure for each interval. */
export function hasSeries({ page, params }: SavedAddress): boolean {
  if (params.has('group_by')) return false
  if (page === 'events') return params.has('event')
  if (page === 'trends') return trendsQuery({ params }) !== null
  return page === '' || page === 'revenue'
}

/** Whether digests can show it. */
export function isShowable(address: SavedAddress): boolean {
  return hasSeries(address) || address.page === 'funnels'
}

interface Asking {
  readonly context: RequestContext
  readonly calendar: Calendar
}

/** Throws what the question throws. */
export async function askSeries(address: SavedAddress, { context, calendar }: Asking): Promise<SavedSeries> {
  const interval = intervalIn(address)
  const period = periodBefore(context.now, interval, calendar)
  const { labels, data, ...named } = await answerOf(address, { period, context })
  const isOver = (label: string) => interval !== 'hour' || Date.parse(label) + MS_PER_HOUR <= context.now
  const over = data.slice(0, labels.filter(isOver).length)
  const label = labels[over.length - 1] ?? ''
  const back = interval === 'hour' ? WEEK_HOURS : interval === 'day' ? WEEK_DAYS : 1
  return {
    ...named,
    values: over.slice(-SHOWN[interval]),
    last: over.at(-1) ?? null,
    before: over.at(-1 - back) ?? null,
    ...wordsOf(interval, label),
  }
}

function intervalIn({ page, params }: SavedAddress): TrendInterval {
  const given = params.get('interval') ?? 'day'
  return page === 'trends' && Object.hasOwn(SHOWN, given) ? (given as TrendInterval) : 'day'
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

async function answerOf(address: SavedAddress, { period, context }: Question): Promise<Answered> {
  const { page, params } = address
  const common = commonQuery(address, period)
  if (page === 'revenue') return revenueOf(params, { ...common, ...currencyIn(params) }, context)
  if (page === 'trends') {
    const { compare: _, ...own } = trendsQuery({ params }) ?? {}
    const { xValues, yValues } = await analyzeTrendsRoute.ask({ query: { ...common, ...own } }, context)
    // A formula is what the others are for.
    const series = params.has('formula') ? yValues.at(-1) : yValues[0]
    return { figure: series?.name ?? '', unit: '', labels: xValues.data, data: series?.data ?? [] }
  }
  if (page === 'events') {
    const query = { ...common, ...eventsQuery({ params }) }
    const { xValues, yValues } = await segmentEventsRoute.ask({ query }, context)
    const unit = params.get('mode') === 'pct_dau' ? '%' : ''
    return { figure: yValues[0]?.name ?? '', unit, labels: xValues.data, data: yValues[0]?.data ?? [] }
  }
  const { xValues, yValues } = await getUserActivityRoute.ask({ query: common }, context)
  return { figure: 'Active users', unit: '', labels: xValues.data, data: yValues[0]?.data ?? [] }
}

function currencyIn(params: URLSearchParams) {
  const currency = params.get('currency')
  return currency === null ? {} : { currency }
}

const COUNTS = ['payments', 'payers', 'new_payers']

async function revenueOf(
  params: URLSearchParams,
  query: Readonly<Record<string, string | string[]>>,
  context: RequestContext,
): Promise<Answered> {
  const { xValues, yValues, currency } = await getRevenueRoute.ask({ query }, context)
  const series = yValues.find(({ name }) => name === params.get('metric')) ?? yValues[0]
  const figure = series?.name ?? 'net'
  return { figure, unit: COUNTS.includes(figure) ? '' : currency, labels: xValues.data, data: series?.data ?? [] }
}

/** The steps of a saved funnel for all users. Throws what the question throws. */
export async function askFunnel(address: SavedAddress, { period, context }: Question) {
  const { group_by: _, ...own } = funnelQuery(address)
  const { steps } = await analyzeFunnelRoute.ask({ query: { ...commonQuery(address, period), ...own } }, context)
  return steps
}
