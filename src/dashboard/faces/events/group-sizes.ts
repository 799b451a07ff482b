import type { RequestContext } from '../../../http/context.ts'
import { isMeasure } from '../../../questions/event-segments/contract.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { commonQuery, type View } from '../../request/address.ts'
import type { GroupSize } from '../face.ts'

interface GroupedEvent {
  readonly event: string
  /** Filters of this event alone, in addition to the view's. */
  readonly filters?: readonly string[]
}

/** The users of an event in each group of a view; null for a view without groups. */
export function askForSizes(
  view: View,
  context: RequestContext,
  one: GroupedEvent | undefined,
): Promise<readonly GroupSize[]> | null {
  const groups = groupsOf(view)
  if (groups.length === 0 || !one?.event) return null
  const filters = [...view.filters, ...(one.filters ?? [])]
  const query = { ...commonQuery(view), filters, event: one.event, mode: 'uniques', group_by: groups }
  return segmentEventsRoute
    .ask({ query }, context)
    .then(({ yValues }) => yValues.map(({ name, key_value: users }) => ({ name, users })))
}

/** Whether a mode measures the values of a parameter. How many different ones there are tells none of them. */
export function showsValues(mode: string | null): boolean {
  return isMeasure(mode) && mode !== 'distinct'
}
