import { toDate } from '../time/days.ts'
import { daysIn, type Period, parseDate } from '../time/period.ts'

/** The periods that have a name, in the order in which they are offered. */
export const PERIODS = [
  { name: '7d', label: '7 days' },
  { name: '30d', label: '30 days' },
  { name: '90d', label: '90 days' },
  { name: 'month', label: 'This month' },
] as const

const DAYS: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 }
const DEFAULT_DAYS = 30

/** What all pages of an application have in their address: a period and filters. The rest is the page's own question. */
export interface View {
  /** Without a slash at its end: `/dashboard/lemon_shop_bot/funnels`. */
  readonly path: string
  /** Everything after the question mark, as it is. */
  readonly params: URLSearchParams
  /** Of a period with a name; null where it has days of its own. */
  readonly periodName: string | null
  /** Days since 1970 UTC; null where the days in the address make no period. What is wrong with them the operations say. */
  readonly period: Period | null
  /** In days since 1970 UTC. */
  readonly today: number
  /** Each filter as it stands in the address, JSON. */
  readonly filters: readonly string[]
}

/** Reads an address. `today` is in days since 1970 UTC. */
export function readView(url: URL, today: number): View {
  const params = url.searchParams
  const isOwn = params.has('start') || params.has('end')
  const asked = params.get('period') ?? '30d'
  const periodName = isOwn ? null : PERIODS.some(({ name }) => name === asked) ? asked : '30d'
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
  return { from: from || end - DEFAULT_DAYS + 1, to: end }
}

function namedPeriod(name: string, today: number): Period {
  if (name === 'month') return { from: today - new Date(`${toDate(today)}T00:00:00Z`).getUTCDate() + 1, to: today }
  return { from: today - (DAYS[name] ?? DEFAULT_DAYS) + 1, to: today }
}

/** Days are `YYYYMMDD` in an address; a date field of a form sends `YYYY-MM-DD`. */
export function withoutDashes(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? date.replaceAll('-', '') : date
}

/** How many days a view shows. */
export function daysOf({ period }: View): number {
  return period ? Math.max(1, daysIn(period).length) : DEFAULT_DAYS
}

/** Whether the last day is not over yet. */
export function endsToday({ period, today }: View): boolean {
  return period?.to === today
}
