import type { Columns } from '../columns/columns.ts'
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
  const { length } = columns.timelineOf(day)
  const passes = new Uint8Array(length)
  let offset = 0
  for (const { name, leaf, from, to } of columns.runsOf(null, spanOf({ from: day, to: day }))) {
    if (isLookedUp(name)) {
      const picked = selection.pick(leaf, from, to)
      for (let index = picked.from; index < picked.to; index++) {
        passes[offset - from + (picked.places ? (picked.places[index] as number) : index)] = 1
      }
    }
    offset += to - from
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
  const { length } = columns.timelineOf(day)
  const groups = new Uint32Array(length)
  let offset = 0
  for (const { name, leaf, from, to } of columns.runsOf(null, spanOf({ from: day, to: day }))) {
    if (isLookedUp(name)) {
      const { codes, table } = grouping.of(leaf)
      for (let place = from; place < to; place++) {
        groups[offset + place - from] = table[codes[place] as number] as number
      }
    }
    offset += to - from
  }
  return groups
}
