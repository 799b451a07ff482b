import type { Span } from '../../columns/columns.ts'
import { SESSION_GAP_MS } from '../../columns/selection/sessions.ts'

/**
 * When a user did something, by slots of time as long as the pause that ends a session. Within a slot no session ends, so the
 * first and the last time of each slot say where sessions begin: there is no need to put the events in order, or to hold them.
 */
export function createSlots({ from, to }: Span) {
  const start = slotOf(from)
  const length = Math.max(0, slotOf(to - 1) - start + 1)
  const counts = new Uint32Array(length)
  const firsts = new Float64Array(length).fill(Number.POSITIVE_INFINITY)
  const lasts = new Float64Array(length)

  return {
    /** `events`: how many of those that are asked for happened then. */
    add(time: number, events: number): void {
      const slot = slotOf(time) - start
      counts[slot] = (counts[slot] as number) + events
      if (time < (firsts[slot] as number)) firsts[slot] = time
      if (time > (lasts[slot] as number)) lasts[slot] = time
    },
    /** A time from which on there are so many events asked for, no earlier than need be; that of the first slot where there are fewer. */
    startOfLatest(events: number): number {
      let [slot, found] = [length, 0]
      while (slot > 0 && found < events) found += counts[--slot] as number
      return (start + slot) * SESSION_GAP_MS
    },
    /** The number of the session that holds an event of each of these times; 1 for the first one of all. */
    sessionsAt(times: readonly number[]): number[] {
      const numbers = new Uint32Array(length)
      let [number, last] = [0, Number.NEGATIVE_INFINITY]
      for (let slot = 0; slot < length; slot++) {
        if (firsts[slot] === Number.POSITIVE_INFINITY) continue
        if ((firsts[slot] as number) - last > SESSION_GAP_MS) number += 1
        numbers[slot] = number
        last = lasts[slot] as number
      }
      return times.map((time) => numbers[slotOf(time) - start] as number)
    },
  }
}

function slotOf(time: number): number {
  return Math.floor(time / SESSION_GAP_MS)
}
