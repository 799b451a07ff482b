import {
  type Chunk,
  type ChunkSlice,
  compare,
  countUpTo,
  type EventPosition,
  eventsOf,
  type Ids,
  toSegments,
} from './chunk.ts'
import { firstIndex } from './flat-arrays.ts'
import type { SegmentEntry } from './segment-store.ts'

/** What the database has of one name after one position, up to and including another. It replaces what was known there. */
export interface Replacement {
  readonly after: EventPosition
  readonly upTo: EventPosition
  readonly chunk: Chunk
}

/** Segments of a name that others replace. */
export interface Splice {
  /** Indexes of the name's segments: [from, to). */
  readonly from: number
  readonly to: number
  readonly segments: readonly Chunk[]
  /** The events that were not there before; null if others are gone or changed. */
  readonly fresh: readonly ChunkSlice[] | null
  /** The events that were replaced, and those that replaced them. */
  readonly removed: readonly ChunkSlice[]
  readonly added: readonly ChunkSlice[]
}

export interface Splicing {
  /** A name's segments in order, as they are now. */
  readonly entries: () => readonly SegmentEntry[]
  readonly load: (entry: SegmentEntry) => Chunk
  /** Messenger ids by users' ordinals. */
  readonly ids: Ids
  /** Whether to rewrite even what did not change. */
  readonly isForced: boolean
  /** The most events of a segment. */
  readonly segmentEvents: number
}

/** Takes replacements in order, without overlaps. Carry out each splice before you ask for the next one. */
export function* splices(replacements: readonly Replacement[], splicing: Splicing): Generator<Splice> {
  for (let next = 0; next < replacements.length; ) {
    const group = groupFrom(replacements, next, splicing.entries())
    next += group.replacements.length
    yield* spliceOf(group, splicing)
  }
}

/** Replacements that touch the same segments, or are between the same two, so that each segment is rewritten once. */
interface Group {
  readonly from: number
  readonly to: number
  readonly replacements: readonly Replacement[]
}

function groupFrom(replacements: readonly Replacement[], first: number, entries: readonly SegmentEntry[]): Group {
  const { from, to: firstEnd } = overlapping(replacements[first] as Replacement, entries)
  let [to, end] = [firstEnd, first + 1]
  for (; end < replacements.length; end += 1) {
    const range = overlapping(replacements[end] as Replacement, entries)
    const isInSameGap = range.from === to && range.to === to
    if (range.from >= to && !isInSameGap) break
    to = Math.max(to, range.to)
  }
  return { from, to, replacements: replacements.slice(first, end) }
}

function overlapping({ after, upTo }: Replacement, entries: readonly SegmentEntry[]): { from: number; to: number } {
  const entryAt = (index: number) => entries[index] as SegmentEntry
  const from = firstIndex(entries.length, (index) => compare(entryAt(index).last, after) > 0)
  const to = firstIndex(entries.length, (index) => compare(entryAt(index).first, upTo) > 0)
  return { from, to: Math.max(from, to) }
}

function* spliceOf({ from, to, replacements }: Group, splicing: Splicing): Generator<Splice> {
  const entries = splicing.entries()
  const chunks = entries.slice(from, to).map(splicing.load)
  const { kept, removed } = cut(chunks, replacements, splicing.ids)
  const added = replacements.map(({ chunk }) => wholeOf(chunk)).filter(({ to }) => to > 0)
  const fresh = freshIn(added, removed)
  if (fresh?.length === 0 && !splicing.isForced) return
  const range = withNeighbours({ from, to, events: eventsOf(kept) }, entries, splicing.segmentEvents)
  const load = (others: readonly SegmentEntry[]) => others.map((entry) => wholeOf(splicing.load(entry)))
  const [before, after] = [load(entries.slice(range.from, from)), load(entries.slice(to, range.to))]
  yield {
    ...range,
    segments: toSegments([...before, ...kept, ...after], splicing.segmentEvents),
    fresh,
    removed,
    added,
  }
}

/** Takes out of chunks what these replace. Returns all events that are there now, in order, and those that were taken out. */
function cut(chunks: readonly Chunk[], replacements: readonly Replacement[], ids: Ids) {
  const [kept, removed]: [ChunkSlice[], ChunkSlice[]] = [[], []]
  let added = 0
  for (const chunk of chunks) {
    let index = 0
    for (const [at, { after, upTo, chunk: replacing }] of replacements.entries()) {
      const start = countUpTo(chunk, after, ids)
      if (start === chunk.times.length) break
      push(kept, { chunk, from: index, to: start })
      // One that begins in an earlier chunk was added there.
      if (at === added) {
        push(kept, wholeOf(replacing))
        added += 1
      }
      const end = countUpTo(chunk, upTo, ids)
      push(removed, { chunk, from: start, to: end })
      index = end
    }
    push(kept, { chunk, from: index, to: chunk.times.length })
  }
  for (const { chunk } of replacements.slice(added)) push(kept, wholeOf(chunk))
  return { kept, removed }
}

function push(slices: ChunkSlice[], slice: ChunkSlice): void {
  if (slice.to > slice.from) slices.push(slice)
}

function wholeOf(chunk: Chunk): ChunkSlice {
  return { chunk, from: 0, to: chunk.times.length }
}

/** A segment up to this many times larger is merged with its neighbour: a name that grows at its end is rewritten seldom. */
const NEIGHBOUR_SHARE = 4

interface Range {
  readonly from: number
  readonly to: number
}

/** Includes small neighbours, so that there are few segments. */
function withNeighbours(
  { from, to, events }: Range & { events: number },
  entries: readonly SegmentEntry[],
  segmentEvents: number,
): Range {
  const range = { from, to, events }
  const isTaken = (entry?: SegmentEntry) => {
    if (!entry || entry.events > range.events * NEIGHBOUR_SHARE) return false
    if (entry.events + range.events > segmentEvents) return false
    range.events += entry.events
    return true
  }
  while (isTaken(entries[range.from - 1])) range.from -= 1
  while (isTaken(entries[range.to])) range.to += 1
  return { from: range.from, to: range.to }
}

/** The added events that were not removed; null if events were removed that are not added again. Parameters of equal events are equal. */
function freshIn(added: readonly ChunkSlice[], removed: readonly ChunkSlice[]): ChunkSlice[] | null {
  const fresh: ChunkSlice[] = []
  let [slice, index] = [0, removed[0]?.from ?? 0]
  for (const { chunk, from, to } of added) {
    let start = from
    for (let at = from; at < to; at += 1) {
      const known = removed[slice]
      if (!known) break
      if (!isSameEvent(chunk, at, known.chunk, index)) continue
      push(fresh, { chunk, from: start, to: at })
      start = at + 1
      index += 1
      if (index === known.to) [slice, index] = [slice + 1, removed[slice + 1]?.from ?? 0]
    }
    push(fresh, { chunk, from: start, to })
  }
  return slice === removed.length ? fresh : null
}

function isSameEvent(a: Chunk, at: number, b: Chunk, index: number): boolean {
  if (a.times[at] !== b.times[index] || a.users[at] !== b.users[index]) return false
  return a.keys[at] === b.keys[index] && a.contexts[at] === b.contexts[index]
}
