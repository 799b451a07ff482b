import type { Intervals } from '../../base/time/divided-period.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Timeline } from '../columns.ts'
import { type Picks, picksOn } from './day-rows.ts'
import { emptyBatch, type IntervalBatch, type Selection, yielding } from './selection.ts'

interface Division {
  readonly period: Period
  /** Several of each day. */
  readonly intervals: Intervals
}

/** All events, whatever their names, by intervals that are shorter than days. */
export function* timelineBatches(
  columns: Columns,
  selection: Selection,
  { period, intervals }: Division,
): Generator<IntervalBatch> {
  for (const day of daysIn(period)) {
    if (columns.eventsOn(day) === 0) continue
    const midnight = columns.calendar.startOf(day)
    const first = intervals.numberOf(midnight)
    const behind = intervals.numberOf(columns.calendar.startOf(day + 1) - 1) + 1
    const ends = Float64Array.from({ length: behind - first }, (_, index) => intervals.startOf(first + index + 1))
    const picks = yield* yielding(picksOn(columns, selection, day), emptyBatch(first, null))
    for (const timeline of columns.timelinesOf(day)) {
      const { users, groups, bounds } = sortedByInterval(
        timeline,
        ends.map((end) => end - midnight),
        picks,
      )
      for (let index = 0; index < ends.length; index++) {
        const [from, to] = [bounds[index] as number, bounds[index + 1] as number]
        if (from === to) continue
        const rows = { users, groups, from, to, indexes: null }
        yield { interval: first + index, rows, counts: null, segment: null, looked: to - from }
      }
    }
  }
}

/** The picked events of a timeline, interval after interval. Those of interval i are between bounds i and i + 1. */
function sortedByInterval({ length, users, times, ...timeline }: Timeline, ends: Float64Array, picks: Picks) {
  const indexes = timeline.indexes()
  const numbers = new Int16Array(length)
  const bounds = new Uint32Array(ends.length + 2)
  for (let event = 0, number = 0, last = -1; event < length; event++) {
    // Of each user in order of time.
    if (users[event] !== last) number = 0
    last = users[event] as number
    while (number < ends.length - 1 && (times[event] as number) >= (ends[number] as number)) number++
    const isPicked = picks.isPicked[indexes[event] as number] === 1
    numbers[event] = isPicked ? number : NOT_PICKED
    if (isPicked) bounds[number + 2] = (bounds[number + 2] as number) + 1
  }
  for (let number = 2; number < bounds.length; number++) {
    bounds[number] = (bounds[number] as number) + (bounds[number - 1] as number)
  }
  const sortedUsers = new Uint32Array(length)
  const groups = picks.groups && new Uint32Array(length)
  for (let event = 0; event < length; event++) {
    const number = numbers[event] as number
    if (number === NOT_PICKED) continue
    const row = bounds[number + 1] as number
    bounds[number + 1] = row + 1
    sortedUsers[row] = users[event] as number
    if (groups) groups[row] = picks.groups?.[indexes[event] as number] as number
  }
  return { users: sortedUsers, groups, bounds }
}

const NOT_PICKED = -1
