import type { RequestContext } from '../../../http/context.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { listPropertiesRoute } from '../../../questions/properties/routes.ts'
import { periodQuery, type View } from '../../request/address.ts'
import type { ApplicationRequest, OccurredNames } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'

// What forms offer to choose from: what occurred in the period.

const OFFERED_NAMES = '300'

type Asking = Pick<ApplicationRequest, 'view' | 'context'>

/** What a page's request tells of events, each asked for once, and only where the page wants to know. */
export function occurring(asking: Asking): Pick<ApplicationRequest, 'names' | 'hasEvents'> {
  let names: Promise<OccurredNames> | undefined
  return {
    names() {
      names ??= offeredNames(asking)
      return names
    },
    async hasEvents() {
      const { data, problem } = await attempt(newestEvent(asking))
      return problem !== null || data !== null
    },
  }
}

/** The names to offer. Filters do not narrow them: they may be about to change. */
export async function offeredNames({ view, context }: Asking): Promise<OccurredNames> {
  const query = { ...periodQuery(view), limit: OFFERED_NAMES }
  const { data: answer } = await attempt(listEventNamesRoute.ask({ query }, context))
  const found = answer?.data ?? []
  return {
    names: found.map(({ name }) => name),
    users: found.map(({ users }) => users),
    isAll: answer !== null && answer.total === found.length,
  }
}

/** The newest event of an application; null where none ever arrived. */
export async function newestEvent({ context }: Pick<ApplicationRequest, 'context'>) {
  const { data } = await listLatestEventsRoute.ask({ query: { limit: '1' } }, context)
  return data[0] ?? null
}

const OFFERED_PARAMS = 50

/** Parameters of events that occurred in the period, or of those of one name, as `params.<name>`. */
export async function offeredParams(view: View, context: RequestContext, event?: string): Promise<readonly string[]> {
  const query = { ...periodQuery(view), limit: String(OFFERED_PARAMS), ...(event !== undefined && { event }) }
  const { data } = await attempt(listPropertiesRoute.ask({ query }, context))
  return (data?.data ?? []).filter(isOwnParam).map(({ property }) => property)
}

/** Lists the parameters of these events first, then those of all others. */
export async function paramsByEvents(
  { view, context, params }: Pick<ApplicationRequest, 'view' | 'context' | 'params'>,
  events: readonly string[],
): Promise<readonly string[]> {
  const named = [...new Set(events)].filter((event) => event !== ANY_EVENT)
  const own = await Promise.all(named.map((event) => offeredParams(view, context, event)))
  return [...new Set([...own.flat(), ...(await params)])]
}

export function isOwnParam({ property }: { readonly property: string }): boolean {
  return property.startsWith('params.')
}
