import { MS_PER_DAY } from '../time/days.ts'
import type { Timeline } from './columns.ts'
import type { DayPiece } from './day-pairs.ts'

/** Events of one name on a day. */
export interface NamedPiece extends DayPiece {
  readonly name: string
}

/** What one event of a timeline takes in memory. */
export const TIMELINE_EVENT_BYTES = 16

/** Puts the events of a day in order, those of one name after those of another as they come. */
export function toTimeline(pieces: Iterable<NamedPiece>, day: number, userCount: number): Timeline {
  const { events, names } = collect([...pieces], day)
  const order = byUser(events, userCount)
  const [users, times] = [new Uint32Array(order.length), new Uint32Array(order.length)]
  const codes = names.length <= 2 ** 16 ? new Uint16Array(order.length) : new Uint32Array(order.length)
  for (let event = 0; event < order.length; event += 1) {
    const place = order[event] as number
    users[event] = events.users[place] as number
    times[event] = events.times[place] as number
    codes[event] = events.codes[place] as number
  }
  return { length: order.length, users, times, codes, names, places: order }
}

interface Events {
  readonly users: Uint32Array
  readonly times: Uint32Array
  readonly keys: Float64Array
  readonly codes: Uint32Array
}

function collect(pieces: readonly NamedPiece[], day: number): { events: Events; names: string[] } {
  const length = pieces.reduce((sum, { from, to }) => sum + to - from, 0)
  const [users, times] = [new Uint32Array(length), new Uint32Array(length)]
  const [keys, codes] = [new Float64Array(length), new Uint32Array(length)]
  const names: string[] = []
  const midnight = day * MS_PER_DAY
  let offset = 0
  for (const { name, block, from, to } of pieces) {
    if (names.at(-1) !== name) names.push(name)
    users.set(block.users.subarray(from, to), offset)
    keys.set(block.keys.subarray(from, to), offset)
    codes.fill(names.length - 1, offset, offset + to - from)
    for (let place = from; place < to; place += 1)
      times[offset + place - from] = (block.times[place] as number) - midnight
    offset += to - from
  }
  return { events: { users, times, keys, codes }, names }
}

/** The places of the events in order of users, then of time, then of keys. */
function byUser({ users, times, keys }: Events, userCount: number): Uint32Array {
  const byLowDigit = sorted(inRows(users.length), { numbers: times, shift: 0, mask: DIGITS - 1, count: DIGITS })
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
