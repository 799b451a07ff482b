import type { Pairs, SegmentSlice } from './columns.ts'
import { enlarged } from './flat-arrays.ts'
import { Ordinals } from './ordinals.ts'

/** The low bits of an event's key order events of one instant. */
const TIES = 2 ** 20

/** The distinct pairs of a day that begins at this moment, in order of users, then of contexts. */
export function toPairs(slices: Iterable<SegmentSlice>, midnight: number, contextCount: number): Pairs {
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

function inOrder(index: Ordinals, counts: Uint32Array, stamps: Float64Array, contextCount: number): Pairs {
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
