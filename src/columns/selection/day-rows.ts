import { spanOf } from '../../base/time/calendar.ts'
import type { Columns, SegmentSlice } from '../columns.ts'
import type { Grouping } from './grouping.ts'
import type { Selection } from './selection.ts'

// Marks and groups of each event of a day, by its index as timelines have it. Values are looked up in steps, so that others get their turn.

/** Events of names that are not looked up do not pass, or are in group 0. */
type IsLookedUp = (name: string) => boolean

const ALL_NAMES: IsLookedUp = () => true

export interface Picks {
  /** Which events a selection picks: 1 or 0 for each. */
  readonly isPicked: Uint8Array
  /** The ordinal of the group of each event that is picked; null if nothing is grouped. */
  readonly groups: Uint32Array | null
}

export function* picksOn(
  columns: Columns,
  selection: Selection,
  day: number,
  isLookedUp = ALL_NAMES,
): Generator<void, Picks> {
  const isPicked = new Uint8Array(columns.eventsOn(day))
  let groups: Uint32Array | null = null
  for (const { segment, from, to, shift } of slicesOn(columns, day, isLookedUp)) {
    yield* selection.prepare(segment)
    const picked = selection.pick(segment, from, to)
    if (picked.groups) groups ??= new Uint32Array(isPicked.length)
    for (let index = picked.from; index < picked.to; index++) {
      const event = shift + (picked.indexes ? (picked.indexes[index] as number) : index)
      isPicked[event] = 1
      if (groups && picked.groups) groups[event] = picked.groups[index] as number
    }
  }
  return { isPicked, groups }
}

/** Finds which events pass the filters of a selection: 1 or 0 for each. */
export function* passesOn(
  columns: Columns,
  selection: Selection,
  day: number,
  isLookedUp = ALL_NAMES,
): Generator<void, Uint8Array> {
  const { isPicked } = yield* picksOn(columns, selection, day, isLookedUp)
  return isPicked
}

/** The ordinal of each event's group. */
export function* groupsOn(
  columns: Columns,
  grouping: Grouping,
  day: number,
  isLookedUp: IsLookedUp = ALL_NAMES,
): Generator<void, Uint32Array> {
  const groups = new Uint32Array(columns.eventsOn(day))
  for (const { segment, from, to, shift } of slicesOn(columns, day, isLookedUp)) {
    yield* grouping.prepare(segment)
    const { codes, table } = grouping.of(segment)
    for (let index = from; index < to; index++) groups[shift + index] = table[codes[index] as number] as number
  }
  return groups
}

interface DaySlice extends SegmentSlice {
  /** Added to an index in the segment, it makes the index on the day. */
  readonly shift: number
}

export function* slicesOn(columns: Columns, day: number, isLookedUp = ALL_NAMES): Iterable<DaySlice> {
  let offset = 0
  for (const slice of columns.slicesOf(null, spanOf(columns.calendar, { from: day, to: day }))) {
    if (isLookedUp(slice.name)) yield { ...slice, shift: offset - slice.from }
    offset += slice.to - slice.from
  }
}
