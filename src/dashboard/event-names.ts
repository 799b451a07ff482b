import { listEventNamesRoute } from '../questions/event-names/routes.ts'
import { listLatestEventsRoute } from '../questions/latest-events/routes.ts'
import type { ApplicationRequest } from './application-request.ts'
import { attempt } from './components/problem.tsx'
import { periodQuery } from './view.ts'

/** How many names a form offers. */
const OFFERED_NAMES = '300'

export const NAMES_ON_A_PAGE = '50'

/** Names of events that occurred in the period, most events first. */
export interface OccurredNames {
  readonly names: readonly string[]
  /** How many users each had, in the same order. */
  readonly users: readonly number[]
  /** Whether these are all names. */
  readonly isAll: boolean
}

/** The names to offer. Filters do not narrow them: they may be about to change. */
export async function offeredNames({ view, context }: ApplicationRequest): Promise<OccurredNames> {
  const query = { ...periodQuery(view), limit: OFFERED_NAMES }
  const { data: answer } = await attempt(listEventNamesRoute.ask({ query }, context))
  const found = answer?.data ?? []
  return {
    names: found.map(({ name }) => name),
    users: found.map(({ users }) => users),
    isAll: answer !== null && answer.total === found.length,
  }
}

/** Whether the application has any event at all. */
export async function hasEvents({ context }: Pick<ApplicationRequest, 'context'>): Promise<boolean> {
  const { data: answer } = await attempt(listLatestEventsRoute.ask({ query: { limit: '1' } }, context))
  return answer === null || answer.data.length > 0
}
