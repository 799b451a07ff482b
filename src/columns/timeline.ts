import type { Span, Timeline, UserRange } from './columns.ts'
import { enlarged, lowerBound, numbersBetween } from './flat-arrays.ts'
import type { NamedSlice } from './segments.ts'
import { CODES, narrowed } from './store.ts'

/** What one event of a timeline takes in memory. */
export const TIMELINE_EVENT_BYTES = 16
/** Part of a day's timeline: all events of some users. */
export interface TimelinePage extends Omit<Timeline, 'names' | 'indexes'> {
  /** The id of each code's name. Ids of names exceed 32 bits. */
  readonly nameIds: Float64Array
  readonly indexes: Uint32Array
}

/** A day, from its first moment to the first one of the next. */
export interface WholeDay extends Span {
  readonly day: number
}

/**
 * The timelines of some days, of slices that hold all their events, name after name. Of several days at once, since to open the
 * segments of many names takes longer than to sort their events; segments are not held meanwhile, as there may be many.
 */
export function toTimelinePages(
  slices: Iterable<NamedSlice>,
  { days, users, pageEvents }: { days: readonly WholeDay[]; users: UserRange; pageEvents: number },
): Map<number, TimelinePage[]> {
  const byDay = new Map(days.map((whole) => [whole.day, new DayEvents(whole, users)]))
  for (const slice of slices) {
    for (const events of byDay.values()) events.add(slice)
  }
  return new Map([...byDay].map(([day, events]) => [day, [...events.toPages(pageEvents)]]))
}

/** The events of some users on a day, as they come. */
class DayEvents {
  readonly #span: Span
  readonly #wanted: UserRange
  readonly #nameIds: number[] = []
  /** The events of the day that were seen, those of other users included. */
  #seen = 0
  #length = 0
  #users = new Uint32Array(64)
  /** Since the day began. */
  #times = new Uint32Array(64)
  #keys = new Float64Array(64)
  #codes = new Uint32Array(64)
  #indexes = new Uint32Array(64)

  constructor(span: Span, users: UserRange) {
    this.#span = span
    this.#wanted = users
  }

  /** Adds the events of a slice that are of the day. */
  add({ nameId, segment, ...slice }: NamedSlice): void {
    const { times, users } = segment
    const { from: midnight, to: nextMidnight } = this.#span
    const from = lowerBound(times, midnight, slice.from, slice.to)
    const to = lowerBound(times, nextMidnight, from, slice.to)
    if (from === to) return
    const keys = segment.keys()
    if (this.#nameIds.at(-1) !== nameId) this.#nameIds.push(nameId)
    this.#makeRoom(this.#length + to - from)
    for (let index = from; index < to; index += 1) {
      const user = users[index] as number
      const event = this.#length
      this.#users[event] = user
      this.#times[event] = (times[index] as number) - midnight
      this.#keys[event] = keys[index] as number
      this.#codes[event] = this.#nameIds.length - 1
      this.#indexes[event] = this.#seen + index - from
      this.#length += Number(user >= this.#wanted.from && user < this.#wanted.to)
    }
    this.#seen += to - from
  }

  #makeRoom(length: number): void {
    if (length <= this.#users.length) return
    const room = Math.max(length, 2 * this.#users.length)
    this.#users = enlarged(this.#users, room)
    this.#times = enlarged(this.#times, room)
    this.#keys = enlarged(this.#keys, room)
    this.#codes = enlarged(this.#codes, room)
    this.#indexes = enlarged(this.#indexes, room)
  }

  /** Cut between users. */
  *toPages(pageEvents: number): Generator<TimelinePage> {
    const [length, users] = [this.#length, this.#users]
    const order = byUser({ length, users, times: this.#times, keys: this.#keys }, this.#wanted)
    const userAt = (index: number) => users[order[index] as number]
    for (let from = 0; from < length; ) {
      let to = Math.min(length, from + pageEvents)
      while (to > from && to < length && userAt(to - 1) === userAt(to)) to -= 1
      if (to === from) for (to += 1; to < length && userAt(to - 1) === userAt(to); to += 1);
      yield this.#toPage(order.subarray(from, to))
      from = to
    }
  }

  #toPage(order: Uint32Array): TimelinePage {
    const { length } = order
    const [users, times, indexes] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)]
    const [codes, codeOf, nameIds] = [new Uint32Array(length), new Map<number, number>(), [] as number[]]
    for (let event = 0; event < length; event += 1) {
      const index = order[event] as number
      users[event] = this.#users[index] as number
      times[event] = this.#times[index] as number
      indexes[event] = this.#indexes[index] as number
      const code = this.#codes[index] as number
      let own = codeOf.get(code)
      if (own === undefined) {
        own = nameIds.length
        codeOf.set(code, own)
        nameIds.push(this.#nameIds[code] as number)
      }
      codes[event] = own
    }
    return {
      length,
      users,
      times,
      codes: narrowed(codes, CODES),
      nameIds: Float64Array.from(nameIds),
      indexes,
    }
  }
}

interface Events {
  readonly length: number
  readonly users: Uint32Array
  readonly times: Uint32Array
  readonly keys: Float64Array
}

/** The indexes of the events in order of users, then of time, then of keys. */
function byUser({ length, users, times, keys }: Events, { from: first, to: behind }: UserRange): Uint32Array {
  const byLowDigit = sorted(numbersBetween(0, length), { numbers: times, shift: 0, mask: DIGITS - 1, count: DIGITS })
  const byTime = sorted(byLowDigit, { numbers: times, shift: DIGIT_BITS, mask: DIGITS - 1, count: DIGITS })
  const order = sorted(byTime, {
    numbers: users.subarray(0, length).map((user) => user - first),
    shift: 0,
    mask: -1,
    count: behind - first,
  })
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

/** Milliseconds of a day, however long it is, are numbers of two digits of this many bits: sorted by one after the other, which is quicker than by comparing. */
const DIGIT_BITS = 14
const DIGITS = 2 ** DIGIT_BITS

interface Digits {
  readonly numbers: Uint32Array
  readonly shift: number
  readonly mask: number
  /** Digits are below. */
  readonly count: number
}

/** Sorts indexes by one digit of their numbers. Those with the same digit stay in order. */
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
