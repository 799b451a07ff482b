import type { Event } from '../../base/event.ts'
import { EntryCache } from '../../storage/memory.ts'

/** Names of events that this isolate accepted, by application: they occurred, even while they are still in the queue. */
const accepted = new EntryCache<true>(10_000)

export function rememberAccepted(applicationId: number, events: readonly Event[]): void {
  for (const { name } of events) accepted.getOrSet(keyOf(applicationId, name), () => true)
}

export function wasAccepted(applicationId: number, name: string): boolean {
  return accepted.get(keyOf(applicationId, name)) === true
}

function keyOf(applicationId: number, name: string): string {
  return `${applicationId} ${name}`
}
