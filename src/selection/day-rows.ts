import type { Columns, Run } from '../columns/columns.ts'
import { spanOf } from '../time/period.ts'
import type { Grouping } from './grouping.ts'
import type { Selection } from './selection.ts'

// What is to be said of each event of a day, by its place as timelines have it.

/** Events of other names are left as if they did not pass, or were of group 0. */
type IsLookedUp = (name: string) => boolean

const ALL_NAMES: IsLookedUp = () => true

/** A 1 where an event passes the filters of a selection, which groups nothing. */
export function passesOn(
  columns: Columns,
  selection: Selection,
  day: number,
  isLookedUp: IsLookedUp = ALL_NAMES,
): Uint8Array {
  const passes = new Uint8Array(columns.timelineOf(day).length)
  for (const { leaf, from, to, shift } of runsOn(columns, day, isLookedUp)) {
    const picked = selection.pick(leaf, from, to)
    for (let index = picked.from; index < picked.to; index++) {
      passes[shift + (picked.places ? (picked.places[index] as number) : index)] = 1
    }
  }
  return passes
}

/** The ordinal of each event's group. */
export function groupsOn(
  columns: Columns,
  grouping: Grouping,
  day: number,
  isLookedUp: IsLookedUp = ALL_NAMES,
): Uint32Array {
  const groups = new Uint32Array(columns.timelineOf(day).length)
  for (const { leaf, from, to, shift } of runsOn(columns, day, isLookedUp)) {
    const { codes, table } = grouping.of(leaf)
    for (let place = from; place < to; place++) groups[shift + place] = table[codes[place] as number] as number
  }
  return groups
}

interface DayRun extends Run {
  /** What is to be added to a place in the leaf for the one on the day. */
  readonly shift: number
}

function* runsOn(columns: Columns, day: number, isLookedUp: IsLookedUp): Iterable<DayRun> {
  let offset = 0
  for (const run of columns.runsOf(null, spanOf({ from: day, to: day }))) {
    if (isLookedUp(run.name)) yield { ...run, shift: offset - run.from }
    offset += run.to - run.from
  }
}
