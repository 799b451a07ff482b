import { toName } from '../../base/text/text.ts'

/** The name that stands for any event. */
export const ANY_EVENT = '_active'

/** The name that makes paths begin where a session begins (going back: where it ends), not at an event. */
export const START_OF_SESSION = '_session'

/** Names that stand for any event or for a session. */
export const PSEUDO_NAMES: ReadonlySet<string> = new Set([ANY_EVENT, START_OF_SESSION])

/** The name of an event as it is stored; null for any event. */
export function toEventName(name = ANY_EVENT): string | null {
  return name === ANY_EVENT ? null : toName(name)
}
