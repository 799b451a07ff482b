import { type QueryParams, toQueryParams } from '../http/params.ts'
import { toDate } from '../time/days.ts'
import { type Period, precedingPeriod } from '../time/period.ts'
import type { ApplicationRequest } from './application-request.ts'
import { isKnown } from './data-since.tsx'
import type { View } from './view.ts'

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

/** What a page's own question says in the address, as the operations take it. */
export function ownQuery({ params }: Pick<View, 'params'>, names: readonly string[]): QueryParams {
  return toQueryParams(names.map((name) => [name, params.getAll(name)]))
}

/** Period and filters of the time before, for comparison; null where the period itself is none, or not all of that time is kept. */
export function queryBefore({
  view,
  application,
}: Pick<ApplicationRequest, 'view' | 'application'>): QueryParams | null {
  const before = view.period && precedingPeriod(view.period)
  return before && isKnown(before.from, application) ? { ...commonQuery(view), ...toQuery(before) } : null
}
