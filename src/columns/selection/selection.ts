import type { Columns, Segment, Span } from '../columns.ts'
import { type Codes, mark, type PairCounts } from '../flat-arrays.ts'
import type { Condition } from './filter.ts'
import type { Grouping } from './grouping.ts'
import { type Mask, masksFor } from './masks.ts'
import { NO_STEPS, type SelectableRows } from './rows.ts'
import { type Share, WHOLE } from './share.ts'

export interface SelectionParams {
  readonly filters: readonly Condition[]
  readonly grouping?: Grouping | null
  /** Only this share of the users, for a question that goes through them in several passes. */
  readonly users?: Share
}

/**
 * The rows that were asked for: those of these arrays at [from, to). The arrays are the rows' own where nothing is left out, else
 * a copy that the next pick overwrites.
 */
export interface Picked {
  readonly users: Uint32Array
  /** The ordinals of their groups; null if nothing is grouped. */
  readonly groups: Uint32Array | null
  readonly from: number
  readonly to: number
  /** The rows' indexes in their own arrays; null if these are the rows' own. */
  readonly indexes: Uint32Array | null
}

/** Events of one interval that a question counts, or pairs that stand for several events each. */
export interface IntervalBatch {
  /** The number of the interval. */
  readonly interval: number
  readonly rows: Picked
  /** The number of events of each row; null if each is one event, or if it does not matter. */
  readonly counts: PairCounts | null
  /** The segment that the rows were picked from; null if parameters were not asked for. */
  readonly segment: Segment | null
  /** The number of rows that were looked at. */
  readonly looked: number
}

/** Picked events, in order of time. */
export interface PickedEvents extends Picked {
  readonly times: Float64Array
  /** The segment that they were picked from. */
  readonly segment: Segment
}

/** Picks the rows that pass filters, with their groups. A question has one, whose buffers are reused. */
export interface Selection {
  /** Looks up what the next pick from rows needs. Yields so often that others get their turn. */
  prepare(rows: SelectableRows): Generator<void>
  /** Picks from the rows at [from, to). */
  pick(rows: SelectableRows, from: number, to: number): Picked
  /** Picks from the rows at these indexes. */
  pickAmong(rows: SelectableRows, indexes: Uint32Array): Picked
  /** The events of a name, segment by segment; null for all names, one after another. Some are empty, so that a question can yield. */
  events(name: string | null, span: Span): Iterable<PickedEvents>
}

export function createSelection(
  columns: Columns,
  { filters, grouping = null, users = WHOLE }: SelectionParams,
): Selection {
  const masks = masksFor(columns, { filters, users })
  const buffers = { indexes: new Uint32Array(0), users: new Uint32Array(0), groups: new Uint32Array(0) }
  let times = new Float64Array(0)
  const isPlain = !grouping && filters.every(({ property }) => property.of !== 'params')
  const prepared = new WeakSet<SelectableRows>()

  function pick(rows: SelectableRows, from: number, to: number): Picked {
    const { masks, groups } = lookAt(rows)
    if (masks === null) return NO_ROWS
    const isWhole = masks.length === 0
    if (isWhole && !groups) return { users: rows.users, groups: null, from, to, indexes: null }
    // Room for all rows: the next pick from the same rows needs no more.
    const room = rows.users.length
    if (isWhole && groups) {
      lookUpAll(groups, from, to, roomFor('groups', room))
      return { users: rows.users, groups: buffers.groups, from, to, indexes: null }
    }
    return collect(rows, narrow(masks, from, to, roomFor('indexes', room)), groups, room)
  }

  function pickAmong(rows: SelectableRows, indexes: Uint32Array): Picked {
    const { masks, groups } = lookAt(rows)
    if (masks === null) return NO_ROWS
    roomFor('indexes', indexes.length).set(indexes)
    const count = masks.reduce((left, mask) => narrowFurther(mask, buffers.indexes, left), indexes.length)
    return collect(rows, count, groups, indexes.length)
  }

  /** The masks are null if no row passes. */
  function lookAt(rows: SelectableRows) {
    const filtered = masks.of(rows)
    if (filtered === null) return { masks: null, groups: undefined }
    const groups = grouping?.of(rows)
    return { masks: groups?.mask ? [...filtered, { codes: groups.codes, mask: groups.mask }] : filtered, groups }
  }

  /** The rows at the first `count` indexes. */
  function collect(rows: SelectableRows, count: number, groups: Groups | undefined, room: number): Picked {
    copy(rows.users, buffers.indexes, count, roomFor('users', room))
    if (groups) lookUp(groups, buffers.indexes, count, roomFor('groups', room))
    return {
      users: buffers.users,
      groups: groups ? buffers.groups : null,
      from: 0,
      to: count,
      indexes: buffers.indexes,
    }
  }

  function roomFor(name: keyof typeof buffers, length: number): Uint32Array {
    if (buffers[name].length < length) buffers[name] = new Uint32Array(length)
    return buffers[name]
  }

  function prepare(rows: SelectableRows): Generator<void> {
    return isPlain || prepared.has(rows) ? NO_STEPS : prepareOnce(rows)
  }

  function* prepareOnce(rows: SelectableRows): Generator<void> {
    yield* masks.prepare(rows)
    if (grouping && masks.of(rows) !== null) yield* grouping.prepare(rows)
    prepared.add(rows)
  }

  return {
    prepare,
    pick,
    pickAmong,
    *events(name, span) {
      for (const { segment, from, to } of columns.slicesOf(name, span)) {
        const steps = prepare(segment)
        if (steps !== NO_STEPS) yield* yielding(steps, { ...NO_ROWS, times, segment })
        const picked = pick(segment, from, to)
        if (picked.indexes) {
          if (times.length < picked.to) times = new Float64Array(segment.times.length)
          copy(segment.times, picked.indexes, picked.to, times)
        }
        yield { ...picked, times: picked.indexes ? times : segment.times, segment }
      }
    },
  }
}

/** Looking up the texts of a step takes as long as looking at this many rows. */
const ROWS_A_STEP = 32_768

/** A batch without rows, for questions that yield after this many rows. */
export function emptyBatch(interval: number, segment: Segment | null): IntervalBatch {
  return { interval, rows: NO_ROWS, counts: null, segment, looked: ROWS_A_STEP }
}

/** Batches without rows, before those of a segment. */
export function preparing(selection: Selection, segment: Segment, interval = 0): Generator<IntervalBatch, void> {
  const steps = selection.prepare(segment)
  return steps === NO_STEPS ? NO_STEPS : yielding(steps, emptyBatch(interval, segment))
}

/** Lets a generator of other things take these steps: yields `instead` after each, and returns what they return. */
export function* yielding<Instead, Result>(
  steps: Generator<void, Result>,
  instead: Instead,
): Generator<Instead, Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    yield instead
  }
}

const NOTHING = new Uint32Array()
/** Marks the users of picked rows. */
export function markPicked({ users, from, to }: Picked, marks: Uint8Array): void {
  mark(marks, users, from, to)
}

/** Where no row passes, not even the users are read. */
const NO_ROWS: Picked = { users: NOTHING, groups: NOTHING, from: 0, to: 0, indexes: null }

/** Collects the indexes of the rows that pass all masks, of which there is at least one; returns how many. */
export function narrow([first, ...others]: readonly Mask[], from: number, to: number, indexes: Uint32Array): number {
  let count = 0
  const { codes, mask } = first as Mask
  for (let index = from; index < to; index++) {
    indexes[count] = index
    count += mask[codes[index] as number] as number
  }
  return others.reduce((left, other) => narrowFurther(other, indexes, left), count)
}

/** Keeps those of the first `length` indexes that pass another mask; returns how many. Works in place: writing never overtakes reading. */
export function narrowFurther({ codes, mask }: Mask, indexes: Uint32Array, length: number): number {
  let count = 0
  for (let at = 0; at < length; at++) {
    const index = indexes[at] as number
    indexes[count] = index
    count += mask[codes[index] as number] as number
  }
  return count
}

function copy<A extends Uint32Array | Float64Array>(from: A, indexes: Uint32Array, count: number, to: A): void {
  for (let at = 0; at < count; at++) to[at] = from[indexes[at] as number] as number
}

interface Groups {
  readonly codes: Codes
  readonly table: Uint32Array
}

function lookUpAll({ codes, table }: Groups, from: number, to: number, groups: Uint32Array): void {
  for (let index = from; index < to; index++) groups[index] = table[codes[index] as number] as number
}

function lookUp({ codes, table }: Groups, indexes: Uint32Array, count: number, groups: Uint32Array): void {
  for (let at = 0; at < count; at++) {
    groups[at] = table[codes[indexes[at] as number] as number] as number
  }
}
