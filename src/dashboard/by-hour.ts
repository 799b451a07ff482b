import { analyzeTrendsRoute } from '../questions/trends/routes.ts'
import { commonQuery, daysOf, type View } from './address.ts'
import type { ApplicationRequest } from './application-request.ts'
import { attempt } from './components/problem.tsx'

interface Counted {
  readonly event: string
  readonly mode: string
  readonly of?: string
  readonly name: string
}

/** A single day is shown by hour. */
function isOneDay(view: View): boolean {
  return view.period !== null && daysOf(view) === 1
}

/** Figures of a single day by hour, with those of the day before; null for other periods, or if they could not be counted. */
export async function askByHour({ view, context }: ApplicationRequest, series: readonly Counted[]) {
  if (!isOneDay(view)) return null
  const query = { ...commonQuery(view), series: JSON.stringify(series), interval: 'hour', compare: 'previous' }
  const { data } = await attempt(analyzeTrendsRoute.ask({ query }, context))
  return data
}
