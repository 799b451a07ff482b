import { type Block, compare, countUpTo, type Ids, type Piece, type Position, toLeaves } from './block.ts'
import type { LeafEntry } from './leaf-store.ts'

/** What the database has of one name after one position, up to and including another. It takes the place of what was known. */
export interface Replacement {
  readonly after: Position
  readonly upTo: Position
  readonly block: Block
}

/** Leaves of a name that make way for others. */
export interface Splice {
  /** Of the name's leaves those at [from, to). */
  readonly from: number
  readonly to: number
  readonly leaves: readonly Block[]
  /** Whether other events are there now. */
  readonly isChanged: boolean
  /** The parts that were replaced, and what replaced them. */
  readonly removed: readonly Piece[]
  readonly added: readonly Piece[]
}

export interface Splicing {
  /** A name's leaves in order, as they are now. */
  readonly entries: () => readonly LeafEntry[]
  readonly load: (entry: LeafEntry) => Block
  /** Messenger ids by users' ordinals. */
  readonly ids: Ids
  /** Whether also what did not change is written anew. */
  readonly isForced: boolean
  /** A leaf has at most so many events. */
  readonly leafEvents: number
}

/** Replacements in order, none of which overlap. Each splice is to be carried out before the next one is asked for. */
export function* splices(replacements: readonly Replacement[], splicing: Splicing): Generator<Splice> {
  for (let next = 0; next < replacements.length; ) {
    const group = groupFrom(replacements, next, splicing.entries())
    next += group.replacements.length
    yield* spliceOf(group, splicing)
  }
}

/** Replacements that meet the same leaves, or lie between the same two: each leaf is rewritten once. */
interface Group {
  readonly from: number
  readonly to: number
  readonly replacements: readonly Replacement[]
}

function groupFrom(replacements: readonly Replacement[], first: number, entries: readonly LeafEntry[]): Group {
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

function overlapping({ after, upTo }: Replacement, entries: readonly LeafEntry[]): { from: number; to: number } {
  const from = firstPlace(entries, ({ last }) => compare(last, after) > 0)
  const to = firstPlace(entries, ({ first }) => compare(first, upTo) > 0)
  return { from, to: Math.max(from, to) }
}

/** Of items in order the first for which this holds; it then holds for all that follow. */
function firstPlace<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(items[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

function* spliceOf({ from, to, replacements }: Group, splicing: Splicing): Generator<Splice> {
  const entries = splicing.entries()
  const blocks = entries.slice(from, to).map(splicing.load)
  const { kept, removed, added } = cut(blocks, replacements, splicing.ids)
  const isChanged = !isSame(removed, added)
  if (!isChanged && !splicing.isForced) return
  const range = withNeighbours({ from, to, events: eventsOf(kept) }, entries, splicing.leafEvents)
  const load = (others: readonly LeafEntry[]) => others.map((entry) => wholeOf(splicing.load(entry)))
  const [before, after] = [load(entries.slice(range.from, from)), load(entries.slice(to, range.to))]
  yield { ...range, leaves: toLeaves([...before, ...kept, ...after], splicing.leafEvents), isChanged, removed, added }
}

interface Cut {
  /** All that is there now, in order, the new among it. */
  readonly kept: Piece[]
  readonly removed: Piece[]
  readonly added: Piece[]
}

function cut(blocks: readonly Block[], replacements: readonly Replacement[], ids: Ids): Cut {
  const result: Cut = { kept: [], removed: [], added: [] }
  const waiting = [...replacements]
  let current: Replacement | undefined
  for (const block of blocks) {
    let place = 0
    for (;;) {
      if (!current) {
        const [next] = waiting
        const start: number = next ? countUpTo(block, next.after, ids) : block.times.length
        push(result.kept, { block, from: place, to: start })
        place = start
        if (!next || start === block.times.length) break
        current = waiting.shift()
        add(result, next)
      }
      const end = countUpTo(block, (current as Replacement).upTo, ids)
      push(result.removed, { block, from: place, to: end })
      place = Math.max(place, end)
      if (end === block.times.length) break
      current = undefined
    }
  }
  for (const replacement of waiting) add(result, replacement)
  return result
}

function add({ kept, added }: Cut, { block }: Replacement): void {
  push(kept, wholeOf(block))
  push(added, wholeOf(block))
}

function push(pieces: Piece[], piece: Piece): void {
  if (piece.to > piece.from) pieces.push(piece)
}

function wholeOf(block: Block): Piece {
  return { block, from: 0, to: block.times.length }
}

function eventsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** So many times its neighbour's size may a leaf have and still be joined with it: what grows at its end is rewritten seldom. */
const NEIGHBOUR_SHARE = 4

interface Range {
  readonly from: number
  readonly to: number
}

/** Small neighbours are taken in, so that leaves stay few. */
function withNeighbours(
  { from, to, events }: Range & { events: number },
  entries: readonly LeafEntry[],
  leafEvents: number,
): Range {
  const range = { from, to, events }
  const isTaken = (entry?: LeafEntry) => {
    if (!entry || entry.events > range.events * NEIGHBOUR_SHARE) return false
    if (entry.events + range.events > leafEvents) return false
    range.events += entry.events
    return true
  }
  while (isTaken(entries[range.from - 1])) range.from -= 1
  while (isTaken(entries[range.to])) range.to += 1
  return { from: range.from, to: range.to }
}

/** Parameters do not differ where the events do not. */
function isSame(removed: readonly Piece[], added: readonly Piece[]): boolean {
  if (eventsOf(removed) !== eventsOf(added)) return false
  let [other, place] = [0, 0]
  for (const { block, from, to } of removed) {
    for (let at = from; at < to; at += 1, place += 1) {
      while (place === (added[other] as Piece).to) [other, place] = [other + 1, 0]
      const there = (added[other] as Piece).block
      if (block.times[at] !== there.times[place] || block.users[at] !== there.users[place]) return false
      if (block.keys[at] !== there.keys[place] || block.contexts[at] !== there.contexts[place]) return false
    }
  }
  return true
}
