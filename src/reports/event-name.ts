import { toName } from '../text/text.ts'

/** The name by which any event is asked for. */
export const ANY_EVENT = '_active'

/** The name of the event that is asked for, as names are kept; null for any event. */
export function toEventName(asked = ANY_EVENT): string | null {
  return asked === ANY_EVENT ? null : toName(asked)
}
