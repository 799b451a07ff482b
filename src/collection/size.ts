import type { Event } from '../base/event.ts'

/** An event's row without its parameters, and its share of other rows. */
const EVENT_BYTES = 80

/** About how many bytes these events take in the database. New names, contexts and users are counted when they are stored. */
export function bytesOf(events: readonly Event[]): number {
  return events.reduce((sum, { params }) => sum + EVENT_BYTES + Buffer.byteLength(params ?? ''), 0)
}
