import { MS_PER_DAY } from '../base/time/days.ts'
import type { SegmentSlice, Timeline } from './columns.ts'
import { enlarged, lowerBound } from './flat-arrays.ts'

/** What one event of a timeline takes in memory. */
export const TIMELINE_EVENT_BYTES = 16

/**
 * The timelines of some days, of slices that hold all their events, name after name. Of several days at once, since to open the
 * segments of many names takes longer than to sort their events; segments are not held meanwhile, as there may be many.
 */
export function toTimelines(
  slices: Iterable<SegmentSlice>,
  days: readonly number[],
  userCount: number,
): Map<number, Timeline> {
  const byDay = new Map(days.map((day) => [day, new DayEvents(day)]))
  for (const slice of slices) {
    for (const events of byDay.values()) events.add(slice)
  }
  return new Map([...byDay].map(([day, events]) => [day, events.toTimeline(userCount)]))
}

/** The events of a day as they come. */
class DayEvents {
  readonly #midnight: number
  readonly #names: string[] = []
  #length = 0
  #users = new Uint32Array(64)
  /** Since midnight. */
  #times = new Uint32Array(64)
  #keys = new Float64Array(64)
  #codes = new Uint32Array(64)

  constructor(day: number) {
    this.#midnight = day * MS_PER_DAY
  }

  /** Those of a slice that are of the day. */
  add({ name, segment, ...slice }: SegmentSlice): void {
    const from = lowerBound(segment.times, this.#midnight, slice.from, slice.to)
    const to = lowerBound(segment.times, this.#midnight + MS_PER_DAY, from, slice.to)
    if (from === to) return
    if (this.#names.at(-1) !== name) this.#names.push(name)
    const start = this.#length
    this.#length += to - from
    this.#makeRoom()
    this.#users.set(segment.users.subarray(from, to), start)
    this.#keys.set(segment.keys().subarray(from, to), start)
    this.#codes.fill(this.#names.length - 1, start, this.#length)
    const [times, midnight] = [this.#times, this.#midnight]
    for (let index = from; index < to; index += 1)
      times[start + index - from] = (segment.times[index] as number) - midnight
  }

  #makeRoom(): void {
    if (this.#length <= this.#users.length) return
    const length = Math.max(this.#length, 2 * this.#users.length)
    this.#users = enlarged(this.#users, length)
    this.#times = enlarged(this.#times, length)
    this.#keys = enlarged(this.#keys, length)
    this.#codes = enlarged(this.#codes, length)
  }

  toTimeline(userCount: number): Timeline {
    const [allUsers, allTimes, allCodes] = [this.#users, this.#times, this.#codes]
    const [length, names] = [this.#length, this.#names]
    const indexes = byUser({ length, users: allUsers, times: allTimes, keys: this.#keys }, userCount)
    const [users, times] = [new Uint32Array(length), new Uint32Array(length)]
    const codes = names.length <= 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length)
    for (let event = 0; event < length; event += 1) {
      const index = indexes[event] as number
      users[event] = allUsers[index] as number
      times[event] = allTimes[index] as number
      codes[event] = allCodes[index] as number
    }
    return { length, users, times, codes, names, indexes }
  }
}

interface Events {
  readonly length: number
  readonly users: Uint32Array
  readonly times: Uint32Array
  readonly keys: Float64Array
}

/** The indexes of the events in order of users, then of time, then of keys. */
function byUser({ length, users, times, keys }: Events, userCount: number): Uint32Array {
  const byLowDigit = sorted(inRows(length), { numbers: times, shift: 0, mask: DIGITS - 1, count: DIGITS })
  const byTime = sorted(byLowDigit, { numbers: times, shift: DIGIT_BITS, mask: DIGITS - 1, count: DIGITS })
  const order = sorted(byTime, { numbers: users, shift: 0, mask: -1, count: userCount })
  for (let from = 0; from < order.length; ) {
    const first = order[from] as number
    let to = from + 1
    while (to < order.length && isSameInstant(first, order[to] as number)) to += 1
    if (to > from + 1) order.subarray(from, to).sort((a, b) => (keys[a] as number) - (keys[b] as number))
    from = to
  }
  return order

  function isSameInstant(a: number, b: number): boolean {
    return users[a] === users[b] && times[a] === times[b]
  }
}

/** The indexes from 0 on. */
function inRows(length: number): Uint32Array {
  const indexes = new Uint32Array(length)
  for (let index = 0; index < length; index += 1) indexes[index] = index
  return indexes
}

/** Milliseconds of a day are numbers of two digits of so many bits: sorted by one after the other, which is quicker than by comparing. */
const DIGIT_BITS = 14
const DIGITS = 2 ** DIGIT_BITS

interface Digits {
  readonly numbers: Uint32Array
  readonly shift: number
  readonly mask: number
  /** Digits are below. */
  readonly count: number
}

/** The same indexes in order of one digit of their numbers; those with the same one stay in order. */
function sorted(indexes: Uint32Array, { numbers, shift, mask, count }: Digits): Uint32Array {
  const ends = new Uint32Array(count + 1)
  for (let at = 0; at < indexes.length; at += 1) {
    const digit = ((numbers[indexes[at] as number] as number) >>> shift) & mask
    ends[digit + 1] = (ends[digit + 1] as number) + 1
  }
  for (let digit = 1; digit <= count; digit += 1) ends[digit] = (ends[digit] as number) + (ends[digit - 1] as number)
  const result = new Uint32Array(indexes.length)
  for (let at = 0; at < indexes.length; at += 1) {
    const index = indexes[at] as number
    const digit = ((numbers[index] as number) >>> shift) & mask
    const end = ends[digit] as number
    result[end] = index
    ends[digit] = end + 1
  }
  return result
}
