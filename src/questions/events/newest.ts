import { compareTexts } from '../../base/text/order.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { createLargest } from '../engine/largest.ts'

/** An event by what identifies it, and the ordinal of its context. */
export interface EventIdentity {
  readonly name: string
  readonly time: number
  readonly key: number
  readonly telegramId: number
  readonly context: number
}

/** Newest first; events of one instant by their keys, the greater one first. Different users may have the same key. */
export function compareNewest(a: EventIdentity, b: EventIdentity): number {
  return b.time - a.time || compareOfInstant(a, b)
}

function compareOfInstant(a: EventIdentity, b: EventIdentity): number {
  return b.key - a.key || b.telegramId - a.telegramId || compareTexts(b.name, a.name)
}

/** The newest of all events that are added, whatever order slices come in. Segments are not held: there may be many. */
export function createNewest(columns: Columns, limit: number) {
  const newest = createLargest(limit, compareOfInstant)
  return {
    /** Of a slice the events whose indexes stand in a list, rising, from one index up to another; null for a list of all indexes. */
    add(
      { name, segment }: SegmentSlice,
      { indexes, from, to }: { indexes: Uint32Array | null; from: number; to: number },
    ): void {
      const { times } = segment
      for (let index = to - 1; index >= from; index--) {
        const row = indexes ? (indexes[index] as number) : index
        const time = times[row] as number
        if (!newest.mayTake(time)) return
        newest.offer(time, () => ({
          name,
          time,
          key: segment.keys()[row] as number,
          telegramId: columns.telegramIdOf(segment.users[row] as number),
          context: segment.contexts[row] as number,
        }))
      }
    },
    isFull: newest.isFull,
    events: newest.items,
  }
}
