import { toDate } from '../../base/time/days.ts'
import { boundsOf, firstDayOf, type Interval, intervalOf } from '../../base/time/intervals.ts'
import { DEFAULT_PERIOD_DAYS, daysIn, type Period, parseDate } from '../../base/time/period.ts'
import { pickParams, type QueryParams } from '../../http/params.ts'
import { DASHBOARD } from './next-page.ts'

interface NamedPeriod {
  readonly name: string
  readonly label: string
  readonly of: (today: number) => Period
}

function lastDays(days: number): NamedPeriod['of'] {
  return (today) => ({ from: today - days + 1, to: today })
}

/** The periods that are one click away. */
export const PERIODS: readonly NamedPeriod[] = [
  { name: 'today', label: 'Today', of: lastDays(1) },
  { name: '7d', label: '7 days', of: lastDays(7) },
  { name: '30d', label: '30 days', of: lastDays(30) },
  { name: '90d', label: '90 days', of: lastDays(90) },
]

/** The periods that a menu offers. */
export const MORE_PERIODS: readonly NamedPeriod[] = [
  { name: 'yesterday', label: 'Yesterday', of: (today) => ({ from: today - 1, to: today - 1 }) },
  { name: 'last-week', label: 'Last week', of: (today) => intervalBefore(today, 'week') },
  {
    name: 'month',
    label: 'This month',
    of: (today) => ({ from: firstDayOf(intervalOf(today, 'month'), 'month'), to: today }),
  },
  { name: 'last-month', label: 'Last month', of: (today) => intervalBefore(today, 'month') },
]

const NAMED_PERIODS = [...PERIODS, ...MORE_PERIODS]

function intervalBefore(today: number, interval: Interval): Period {
  const current = intervalOf(today, interval)
  return { from: firstDayOf(current - 1, interval), to: firstDayOf(current, interval) - 1 }
}

/** What all pages of an application have in their address: a period and filters. The rest is the page's own question. */
export interface View {
  /** Without a slash at its end: `/dashboard/lemon_shop_bot/funnels`. */
  readonly path: string
  /** Everything after the question mark, as it is. */
  readonly params: URLSearchParams
  /** Null for a custom range. */
  readonly periodName: string | null
  /** Null if the address has invalid days, whose faults the operations report. */
  readonly period: Period | null
  readonly today: number
  /** Each filter as the address has it, in JSON. */
  readonly filters: readonly string[]
}

/** Reads an address. `today` is that of the application. */
export function readView(url: URL, today: number): View {
  const params = url.searchParams
  const isOwn = params.has('start') || params.has('end')
  const asked = params.get('period') ?? '30d'
  const periodName = isOwn ? null : NAMED_PERIODS.some(({ name }) => name === asked) ? asked : '30d'
  return {
    path: url.pathname,
    params,
    periodName,
    period: periodName === null ? ownPeriod(params, today) : namedPeriod(periodName, today),
    today,
    filters: params.getAll('filters'),
  }
}

function ownPeriod(params: URLSearchParams, today: number): Period | null {
  const [from, to] = [params.get('start'), params.get('end')].map((text) => text && parseDate(withoutDashes(text)))
  if (from === null && to === null) return null
  const end = to || today
  return { from: from || end - DEFAULT_PERIOD_DAYS + 1, to: end }
}

function namedPeriod(name: string, today: number): Period {
  const named = NAMED_PERIODS.find((period) => period.name === name)
  return (named?.of ?? lastDays(DEFAULT_PERIOD_DAYS))(today)
}

/** Days are `YYYYMMDD` in an address; a date field of a form sends `YYYY-MM-DD`. */
function withoutDashes(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? date.replaceAll('-', '') : date
}

export function daysOf({ period }: View): number {
  return period ? Math.max(1, daysIn(period).length) : DEFAULT_PERIOD_DAYS
}

export function endsToday({ period, today }: View): boolean {
  return period?.to === today
}

/** Whether the last interval that the period of a view touches is not over: its figures can still change. */
export function hasOpenInterval({ period, today }: View, interval: Interval): boolean {
  return period !== null && (boundsOf(period, interval, today).at(-1) ?? 0) > today
}

/** Period and filters as the operations take them. */
export function commonQuery(view: View): QueryParams {
  return { ...periodQuery(view), ...(view.filters.length > 0 && { filters: [...view.filters] }) }
}

export function periodQuery({ period, params }: View): QueryParams {
  if (period) return toQuery(period)
  const days = ['start', 'end'].map((name) => [name, params.get(name)] as const)
  return Object.fromEntries(days.filter((pair): pair is readonly [string, string] => pair[1] !== null))
}

export function toQuery({ from, to }: Period): { readonly start: string; readonly end: string } {
  return { start: toDate(from).replaceAll('-', ''), end: toDate(to).replaceAll('-', '') }
}

/** Picks the named parameters of the address, as operations take them. */
export function ownQuery({ params }: Pick<View, 'params'>, names: readonly string[]): QueryParams {
  return pickParams(params, names)
}

/** A change of an address: values for parameters; null removes one. */
export type AddressChange = Readonly<Record<string, string | readonly string[] | null>>

export function homeOf({ handle }: { readonly handle: string }): string {
  return `${DASHBOARD}/${handle}`
}

export function hrefWith({ path, params }: Pick<View, 'path' | 'params'>, change: AddressChange): string {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    changed.delete(name)
    for (const one of value === null ? [] : [value].flat()) changed.append(name, one)
  }
  return join(path, changed)
}

/** The address of another page about the same application, with the same period and filters. */
export function hrefTo(view: View, path: string, change: AddressChange = {}): string {
  const kept = ['period', 'start', 'end', 'filters'].flatMap((name) =>
    view.params.getAll(name).map((value) => [name, value] as [string, string]),
  )
  return hrefWith({ path, params: new URLSearchParams(kept) }, change)
}

export function hrefWithFilter(view: View, filter: ShownFilter): string {
  const text = JSON.stringify(filter)
  const others = view.filters.filter((other) => other !== text)
  return hrefWith(view, { filters: [...others, text], ...FIRST_PAGE })
}

export function hrefWithoutFilter(view: View, place: number): string {
  return hrefWith(view, { filters: view.filters.toSpliced(place, 1), ...FIRST_PAGE })
}

/** A list that a filter changes starts again at its first page. */
const FIRST_PAGE = { offset: null, before: null }

export interface ShownFilter {
  readonly prop: string
  readonly op: string
  readonly values: readonly string[]
}

function join(path: string, params: URLSearchParams): string {
  return params.size === 0 ? path : `${path}?${params}`
}

/** A filter for a parameter of the address: `filters` of the whole page, or that of one of its series. */
interface FilterFor {
  readonly param: string
  readonly filter: ShownFilter
}

/** The filters that a form sent in three fields each, as they were typed. */
export function typedFilters({ searchParams }: URL): FilterFor[] {
  const endings = [...searchParams.keys()].flatMap((name) => /^filter-prop(|_[a-f])$/.exec(name)?.[1] ?? [])
  return [...new Set(endings)].flatMap((ending) => {
    const [prop, op] = ['filter-prop', 'filter-op'].map((name) => searchParams.get(name + ending))
    const values = searchParams.getAll(`filter-value${ending}`).filter((value) => value !== '')
    return prop && values.length > 0 ? [{ param: `filters${ending}`, filter: { prop, op: op || 'is', values } }] : []
  })
}

/** Days that were chosen in reverse. */
function putInOrder(params: URLSearchParams): void {
  const [start, end] = [params.get('start') ?? '', params.get('end') ?? '']
  const [from, to] = [parseDate(start), parseDate(end)]
  if (from === null || to === null || from <= to) return
  params.set('start', end)
  params.set('end', start)
}

/**
 * What forms send in a form's words, in the words of the address: dates with dashes, fields that were left empty, and the fields
 * of filters, which are added as what they mean. Null if the address is as it should be.
 */
export function canonical(url: URL, filters: readonly FilterFor[] = []): string | null {
  const params = new URLSearchParams()
  for (const [name, value] of url.searchParams) {
    if (value === '' || name.startsWith('filter-')) continue
    params.append(name, name === 'start' || name === 'end' ? withoutDashes(value) : value)
  }
  for (const { param, filter } of filters) params.append(param, JSON.stringify(filter))
  if (params.has('start') || params.has('end')) params.delete('period')
  putInOrder(params)
  return params.toString() === url.searchParams.toString() ? null : join(url.pathname, params)
}
