import type { Columns } from '../../columns/columns.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import { DICTIONARY_ROOM, OUTSIDE, openDictionary } from '../../selection/dictionary.ts'
import { halvesOf, type Share } from '../../selection/share.ts'
import { type Period, spanOf } from '../../time/period.ts'
import { createPace } from '../pace.ts'

export interface ParamEvents {
  readonly name: string
  readonly events: number
}

/** Takes every parameter of a share that events of a period have; where the names are too many to be held, half after half. */
export function* countParams(
  { columns, period, room = DICTIONARY_ROOM }: { columns: Columns; period: Period; room?: typeof DICTIONARY_ROOM },
  share: Share,
  take: (counted: ParamEvents) => void,
): Generator<void, void> {
  const names = openDictionary(share, room)
  const pace = createPace()
  let events = new Uint32Array(64)
  for (const { leaf, from, to } of columns.runsOf(null, spanOf(period))) {
    for (const [name, count] of leaf.countParams(from, to)) {
      const ordinal = names.ordinalOf([name])
      if (names.isOverfull) break
      if (ordinal === OUTSIDE) continue
      if (ordinal >= events.length) events = enlarged(events, 2 * events.length)
      events[ordinal] = (events[ordinal] as number) + count
    }
    if (names.isOverfull) break
    if (pace.isDue(to - from)) yield
  }
  if (names.isOverfull) {
    for (const half of halvesOf(share)) yield* countParams({ columns, period, room }, half, take)
    return
  }
  for (let ordinal = 0; ordinal < names.count; ordinal++) {
    const [name = ''] = names.valuesOf(ordinal)
    take({ name, events: events[ordinal] as number })
  }
}
