import { grown } from './progress.ts'

/** Events of one name in order of time; those of a user at one instant are adjacent. `to` is exclusive. */
export interface TimedEvents {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly from: number
  readonly to: number
}

/** The memory of an arrival, in bytes. */
export const ARRIVAL_BYTES = 16

/** Arrivals of chains at one step, in order of time. */
export class Arrivals {
  length = 0
  times = new Float64Array()
  users = new Uint32Array()
  /** The entry that each chain began with. */
  entries = new Uint32Array()

  add(time: number, user: number, entry: number): void {
    const arrival = this.length++
    if (arrival === this.times.length) this.makeRoom(arrival + 1)
    this.times[arrival] = time
    this.users[arrival] = user
    this.entries[arrival] = entry
  }

  makeRoom(length: number): void {
    this.times = grown(this.times, length)
    this.users = grown(this.users, length)
    this.entries = grown(this.entries, length)
  }
}

/** The memory of a deadline, in bytes. */
export const DEADLINE_BYTES = 8

/** Per entry: the last instant at which its chains may arrive anywhere. Without exclusions, the window's end. */
export function windowEnds({ times, length }: Arrivals, windowMilliseconds: number): Float64Array {
  const ends = new Float64Array(length)
  for (let entry = 0; entry < length; entry++) ends[entry] = (times[entry] as number) + windowMilliseconds
  return ends
}

interface Exclusion {
  readonly entries: Arrivals
  /** Deadlines per entry, which are lowered. */
  readonly deadlines: Float64Array
  /** Per user: the time of the first excluded event of those read so far. */
  readonly following: Float64Array
}

/**
 * Lowers deadlines by the excluded events of one name, from the last to the first. The first one after an entry is the
 * last instant for its chains: it lies within chains that arrive later, but not within those that arrive at its own
 * instant.
 */
export function* endAtExcluded(exclusion: Exclusion, backwards: Iterable<TimedEvents>): Generator<void> {
  exclusion.following.fill(Number.POSITIVE_INFINITY)
  let left = exclusion.entries.length
  for (const events of backwards) {
    left = takeEvents(exclusion, events, left)
    yield
  }
  lower(exclusion, Number.NEGATIVE_INFINITY, left)
}

/** Takes a batch of excluded events. Returns the number of entries left, which are before all of these. */
function takeEvents(exclusion: Exclusion, { times, users, from, to }: TimedEvents, entries: number): number {
  const { following } = exclusion
  const entryTimes = exclusion.entries.times
  let left = entries
  for (let event = to - 1; event >= from; event--) {
    const time = times[event] as number
    if (left > 0 && (entryTimes[left - 1] as number) >= time) left = lower(exclusion, time, left)
    following[users[event] as number] = time
  }
  return left
}

/** Lowers the deadlines of the entries from a time on. Returns the number of entries left. */
function lower({ entries: { times, users }, deadlines, following }: Exclusion, from: number, entries: number): number {
  let entry = entries - 1
  for (; entry >= 0 && (times[entry] as number) >= from; entry--) {
    const first = following[users[entry] as number] as number
    if (first < (deadlines[entry] as number)) deadlines[entry] = first
  }
  return entry + 1
}
