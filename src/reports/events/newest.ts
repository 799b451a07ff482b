import type { Columns, Run } from '../../columns/columns.ts'
import { compareTexts } from '../../text/order.ts'
import { createLargest } from '../largest.ts'

/** An event by what tells it apart, and the ordinal of its context. */
export interface FoundEvent {
  readonly name: string
  readonly time: number
  readonly key: number
  readonly telegramId: number
  readonly context: number
}

/** Newest first; events of one instant by their keys, the greater one first. Different users may have the same key. */
export function compareNewest(a: FoundEvent, b: FoundEvent): number {
  return b.time - a.time || compareOfInstant(a, b)
}

function compareOfInstant(a: FoundEvent, b: FoundEvent): number {
  return b.key - a.key || b.telegramId - a.telegramId || compareTexts(b.name, a.name)
}

/** The newest of all events that are added, whatever order runs come in. Leaves are not held: there may be many. */
export function createNewest(columns: Columns, limit: number) {
  const newest = createLargest(limit, compareOfInstant)
  return {
    /** Of a run the events whose places stand in a list, rising, from one index up to another; null for a list of all places. */
    add({ name, leaf }: Run, { places, from, to }: { places: Uint32Array | null; from: number; to: number }): void {
      for (let index = to - 1; index >= from; index--) {
        const place = places ? (places[index] as number) : index
        const time = leaf.times[place] as number
        if (!newest.mayTake(time)) return
        newest.offer(time, () => ({
          name,
          time,
          key: leaf.keys()[place] as number,
          telegramId: columns.telegramIdOf(leaf.users[place] as number),
          context: leaf.contexts[place] as number,
        }))
      }
    },
    isFull: newest.isFull,
    events: newest.items,
  }
}
