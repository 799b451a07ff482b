import { MS_PER_DAY } from '../time/days.ts'
import type { Run, Timeline } from './columns.ts'
import { enlarged, lowerBound } from './flat-arrays.ts'

/** What one event of a timeline takes in memory. */
export const TIMELINE_EVENT_BYTES = 16

/**
 * The timelines of some days, of runs that hold all their events, name after name. Of several days at once, since to open the
 * leaves of many names takes longer than to sort their events; leaves are not held meanwhile, as there may be many.
 */
export function toTimelines(runs: Iterable<Run>, days: readonly number[], userCount: number): Map<number, Timeline> {
  const byDay = new Map(days.map((day) => [day, new DayEvents(day)]))
  for (const run of runs) {
    for (const events of byDay.values()) events.add(run)
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

  /** Those of a run that are of the day. */
  add({ name, leaf, ...run }: Run): void {
    const from = lowerBound(leaf.times, this.#midnight, run.from, run.to)
    const to = lowerBound(leaf.times, this.#midnight + MS_PER_DAY, from, run.to)
    if (from === to) return
    if (this.#names.at(-1) !== name) this.#names.push(name)
    const start = this.#length
    this.#length += to - from
    this.#makeRoom()
    this.#users.set(leaf.users.subarray(from, to), start)
    this.#keys.set(leaf.keys().subarray(from, to), start)
    this.#codes.fill(this.#names.length - 1, start, this.#length)
    const [times, midnight] = [this.#times, this.#midnight]
    for (let place = from; place < to; place += 1)
      times[start + place - from] = (leaf.times[place] as number) - midnight
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
    const places = byUser({ length, users: allUsers, times: allTimes, keys: this.#keys }, userCount)
    const [users, times] = [new Uint32Array(length), new Uint32Array(length)]
    const codes = names.length <= 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length)
    for (let event = 0; event < length; event += 1) {
      const place = places[event] as number
      users[event] = allUsers[place] as number
      times[event] = allTimes[place] as number
      codes[event] = allCodes[place] as number
    }
    return { length, users, times, codes, names, places }
  }
}

interface Events {
  readonly length: number
  readonly users: Uint32Array
  readonly times: Uint32Array
  readonly keys: Float64Array
}

/** The places of the events in order of users, then of time, then of keys. */
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

/** The places from 0 on. */
function inRows(length: number): Uint32Array {
  const places = new Uint32Array(length)
  for (let place = 0; place < length; place += 1) places[place] = place
  return places
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

/** The same places in order of one digit of their numbers; those with the same one stay in order. */
function sorted(places: Uint32Array, { numbers, shift, mask, count }: Digits): Uint32Array {
  const ends = new Uint32Array(count + 1)
  for (let index = 0; index < places.length; index += 1) {
    const digit = ((numbers[places[index] as number] as number) >>> shift) & mask
    ends[digit + 1] = (ends[digit + 1] as number) + 1
  }
  for (let digit = 1; digit <= count; digit += 1) ends[digit] = (ends[digit] as number) + (ends[digit - 1] as number)
  const result = new Uint32Array(places.length)
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number
    const digit = ((numbers[place] as number) >>> shift) & mask
    const end = ends[digit] as number
    result[end] = place
    ends[digit] = end + 1
  }
  return result
}
