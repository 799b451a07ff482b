import type { Span } from '../../columns/columns.ts'
import { SESSION_GAP_MS } from '../../columns/selection/sessions.ts'

/**
 * When a user had events, in slots of time as long as the pause that ends a session. Within a slot no session ends, so
 * the first and last time of each slot tell where sessions begin: events need not be sorted or held.
 */
export function createSlots({ from, to }: Span) {
  const start = slotOf(from)
  const length = Math.max(0, slotOf(to - 1) - start + 1)
  const counts = new Uint32Array(length)
  const firsts = new Float64Array(length).fill(Number.POSITIVE_INFINITY)
  const lasts = new Float64Array(length)

  return {
    /** Adds an event; `events` is how many of those asked for happened at that time. */
    add(time: number, events: number): void {
      const slot = slotOf(time) - start
      counts[slot] = (counts[slot] as number) + events
      if (time < (firsts[slot] as number)) firsts[slot] = time
      if (time > (lasts[slot] as number)) lasts[slot] = time
    },
    /** The latest slot's start from which there are this many events asked for; the first slot's if fewer. */
    startOfLatest(events: number): number {
      let [slot, found] = [length, 0]
      while (slot > 0 && found < events) found += counts[--slot] as number
      return (start + slot) * SESSION_GAP_MS
    },
    /** The number of the session at each of these times, each of which has an event; 1 is the first session of all. */
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
