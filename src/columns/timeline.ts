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
  const { users, times, codes } = events
  const codeAt = (place: number) => codes[place] as number
  return {
    length: order.length,
    users: order.map((place) => users[place] as number),
    times: order.map((place) => times[place] as number),
    codes: names.length <= 2 ** 16 ? Uint16Array.from(order, codeAt) : Uint32Array.from(order, codeAt),
    names,
    places: order,
  }
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
  const starts = new Uint32Array(userCount + 1)
  for (let place = 0; place < users.length; place += 1) increase(starts, (users[place] as number) + 1)
  for (let user = 1; user <= userCount; user += 1) increase(starts, user, starts[user - 1] as number)
  const order = new Uint32Array(users.length)
  const ends = starts.slice()
  for (let place = 0; place < users.length; place += 1) {
    const user = users[place] as number
    order[ends[user] as number] = place
    increase(ends, user)
  }
  const compare = (a: number, b: number) =>
    (times[a] as number) - (times[b] as number) || (keys[a] as number) - (keys[b] as number)
  for (let user = 0; user < userCount; user += 1) sort(order, starts[user] as number, ends[user] as number, compare)
  return order
}

/** With more it is quicker not to sort by insertion. */
const FEW = 24

function sort(order: Uint32Array, from: number, to: number, compare: (a: number, b: number) => number): void {
  if (to - from > FEW) {
    order.subarray(from, to).sort(compare)
    return
  }
  for (let end = from + 1; end < to; end += 1) {
    const place = order[end] as number
    let at = end
    for (; at > from && compare(order[at - 1] as number, place) > 0; at -= 1) order[at] = order[at - 1] as number
    order[at] = place
  }
}

function increase(counts: Uint32Array, place: number, by = 1): void {
  counts[place] = (counts[place] as number) + by
}
