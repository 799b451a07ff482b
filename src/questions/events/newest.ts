import { compareTexts } from '../../base/text/order.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { createLargest } from '../engine/largest.ts'

/** What identifies an event, and the ordinal of its context. */
export interface EventIdentity {
  readonly name: string
  readonly time: number
  readonly key: number
  readonly telegramId: number
  readonly context: number
}

/** Orders events newest first; at one instant by key, greatest first. Different users may have the same key. */
export function compareNewest(a: EventIdentity, b: EventIdentity): number {
  return b.time - a.time || compareOfInstant(a, b)
}

function compareOfInstant(a: EventIdentity, b: EventIdentity): number {
  return b.key - a.key || b.telegramId - a.telegramId || compareTexts(b.name, a.name)
}

/** Keeps the newest of all events added, in any order of slices. It does not hold segments: there may be many. */
export function createNewest(columns: Columns, limit: number) {
  const newest = createLargest(limit, compareOfInstant)
  return {
    /** Adds events of a slice: those at `indexes` (ascending; null for all) between positions `from` and `to`. */
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
