import type { Event } from './event.ts'

/** Of a row without its parameters, with its session and what else an event leaves. */
const EVENT_BYTES = 80

/** About how many bytes these events take in the database. What they make new there is counted when it is stored. */
export function bytesOf(events: readonly Event[]): number {
  return events.reduce((sum, { params }) => sum + EVENT_BYTES + Buffer.byteLength(params ?? ''), 0)
}
