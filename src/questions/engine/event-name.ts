import { toName } from '../../base/text/text.ts'

/** The name that stands for any event. */
export const ANY_EVENT = '_active'

/** The name of an event as it is stored; null for any event. */
export function toEventName(name = ANY_EVENT): string | null {
  return name === ANY_EVENT ? null : toName(name)
}
