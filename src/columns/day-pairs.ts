import type { Pairs, Segment } from './columns.ts'
import { enlarged } from './flat-arrays.ts'
import { Ordinals } from './ordinals.ts'

/** The low bits of an event's key order events of one instant. */
const TIES = 2 ** 20

/** Events at [from, to). */
export interface PairedEvents {
  readonly segment: Pick<Segment, 'times' | 'users' | 'contexts' | 'keys'>
  readonly from: number
  readonly to: number
}

/** Pairs to which more events can be added. */
export interface StampedPairs extends Omit<Pairs, 'lasts'> {
  /** The time and tie of each pair's last event: the greatest of a user's stamps is that of the user's last event of the day. */
  readonly stamps: Float64Array
}

/** The distinct pairs of a day that begins at this moment, in order of users, then of contexts. */
export function toPairs(slices: Iterable<PairedEvents>, midnight: number, contextCount: number): StampedPairs {
  const index = new Ordinals(new Float64Array(0))
  let [counts, stamps] = [new Uint32Array(64), new Float64Array(64)]
  for (const { segment, from, to } of slices) {
    const { times, users, contexts } = segment
    const keys = segment.keys()
    for (let at = from; at < to; at += 1) {
      const pair = index.of((users[at] as number) * contextCount + (contexts[at] as number))
      if (pair === counts.length) [counts, stamps] = [enlarged(counts, 2 * pair), enlarged(stamps, 2 * pair)]
      counts[pair] = (counts[pair] as number) + 1
      const stamp = ((times[at] as number) - midnight) * TIES + ((keys[at] as number) % TIES)
      if (stamp >= (stamps[pair] as number)) stamps[pair] = stamp
    }
  }
  return inOrder(index, counts, stamps, contextCount)
}

function inOrder(index: Ordinals, counts: Uint32Array, stamps: Float64Array, contextCount: number): StampedPairs {
  const length = index.count
  const ids = index.ids.slice(0, length).sort()
  const sorted = ids.map((id) => index.of(id))
  return {
    length,
    users: Uint32Array.from(ids, (id) => Math.floor(id / contextCount)),
    contexts: Uint32Array.from(ids, (id) => id % contextCount),
    counts: Uint32Array.from(sorted, (pair) => counts[pair] as number),
    stamps: Float64Array.from(sorted, (pair) => stamps[pair] as number),
  }
}

/** Merges the pairs of some events with those of the others. */
export function mergePairs(a: StampedPairs, b: StampedPairs, contextCount: number): StampedPairs {
  const most = a.length + b.length
  const [users, contexts] = [new Uint32Array(most), new Uint32Array(most)]
  const [counts, stamps] = [new Uint32Array(most), new Float64Array(most)]
  const idAt = (pairs: StampedPairs, at: number) =>
    (pairs.users[at] as number) * contextCount + (pairs.contexts[at] as number)
  let [length, atA, atB] = [0, 0, 0]
  for (; atA < a.length || atB < b.length; length += 1) {
    const idA = atA < a.length ? idAt(a, atA) : Number.POSITIVE_INFINITY
    const idB = atB < b.length ? idAt(b, atB) : Number.POSITIVE_INFINITY
    users[length] = (idA <= idB ? a.users[atA] : b.users[atB]) as number
    contexts[length] = (idA <= idB ? a.contexts[atA] : b.contexts[atB]) as number
    counts[length] = (idA <= idB ? (a.counts[atA] as number) : 0) + (idB <= idA ? (b.counts[atB] as number) : 0)
    stamps[length] = Math.max(idA <= idB ? (a.stamps[atA] as number) : 0, idB <= idA ? (b.stamps[atB] as number) : 0)
    if (idA <= idB) atA += 1
    if (idB <= idA) atB += 1
  }
  const some = <A extends Uint32Array | Float64Array>(array: A) => array.subarray(0, length) as A
  return { length, users: some(users), contexts: some(contexts), counts: some(counts), stamps: some(stamps) }
}

/** For each pair whether its last event is that of its user. */
export function lastsOf({ length, users, stamps }: StampedPairs): Uint8Array {
  const lasts = new Uint8Array(length)
  for (let pair = 0; pair < length; ) {
    const user = users[pair]
    let last = pair
    for (; pair < length && users[pair] === user; pair += 1) {
      if ((stamps[pair] as number) > (stamps[last] as number)) last = pair
    }
    lasts[last] = 1
  }
  return lasts
}

/** What is stored of a day: rows, pairs of users and contexts, and events. */
export type DaySize = Record<'pages' | 'pairs' | 'events', number>

export const NO_EVENTS: DaySize = { pages: 0, pairs: 0, events: 0 }

export function daySize(pages: readonly Pick<DaySize, 'pairs' | 'events'>[]): DaySize {
  const sum = (name: 'pairs' | 'events') => pages.reduce((total, page) => total + page[name], 0)
  return { pages: pages.length, pairs: sum('pairs'), events: sum('events') }
}
