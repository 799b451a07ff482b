import { spanOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Segment, SegmentSlice } from '../columns.ts'
import { slicesOn } from './day-rows.ts'

/** Events of a segment that are the first of their users, by their indexes, ascending; there may be none. The next ones overwrite them. */
export interface FirstRows {
  readonly segment: Segment
  readonly indexes: Uint32Array
  /** The number of events that were looked at. */
  readonly looked: number
}

/**
 * Finds the events of a period that are their user's first ever of a name or, without a name, their first of any name. Of several
 * first events at one instant, the one with the smallest key counts.
 */
export function firstRows(columns: Columns, name: string | null, period: Period): Iterable<FirstRows> {
  return name === null ? firstOfAll(columns, period) : firstOfName(columns, name, period)
}

/** Looks at all events of the name up to the end of the period. */
function* firstOfName(columns: Columns, name: string, period: Period): Generator<FirstRows> {
  const { from, to } = spanOf(columns.calendar, period)
  const isKnown = new Uint8Array(columns.userCount)
  let room = new Uint32Array(0)
  for (const slice of columns.slicesOf(name, { from: 0, to })) {
    const looked = slice.to - slice.from
    if (room.length < looked) room = new Uint32Array(looked)
    yield { segment: slice.segment, indexes: newcomersOf(slice, { isKnown, since: from, room }), looked }
  }
}

interface Finding {
  /** Per user: 1 for those with an event so far. */
  readonly isKnown: Uint8Array
  readonly since: number
  readonly room: Uint32Array
}

/** Events of a segment are in order of time, then of users, then of keys. */
function newcomersOf({ segment, from, to }: SegmentSlice, { isKnown, since, room }: Finding): Uint32Array {
  const { users, times } = segment
  let count = 0
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    if (isKnown[user] === 1) continue
    isKnown[user] = 1
    room[count] = index
    count += Number((times[index] as number) >= since)
  }
  return room.subarray(0, count)
}

/** The first event of a user is the first in the timeline of their first day. */
function* firstOfAll(columns: Columns, period: Period): Generator<FirstRows> {
  const finding = columns.firstDays()
  let found = finding.next()
  for (; !found.done; found = finding.next()) yield { segment: NO_EVENTS, indexes: NO_EVENTS.users, looked: 0 }
  const firstDays = found.value
  for (const day of daysIn(period)) {
    const isFirst = new Uint8Array(columns.eventsOn(day))
    for (const { length, users, ...timeline } of columns.timelinesOf(day)) {
      const indexes = timeline.indexes()
      for (let event = 0, last = -1; event < length; event++) {
        const user = users[event] as number
        if (user !== last && firstDays[user] === day) isFirst[indexes[event] as number] = 1
        last = user
      }
    }
    for (const { segment, from, to, shift } of slicesOn(columns, day)) {
      const indexes: number[] = []
      for (let index = from; index < to; index++) if (isFirst[index + shift] === 1) indexes.push(index)
      yield { segment, indexes: Uint32Array.from(indexes), looked: to - from }
    }
  }
}

const NO_EVENTS: Segment = {
  key: 'no events',
  times: new Float64Array(0),
  users: new Uint32Array(0),
  contexts: new Uint32Array(0),
  keys: () => new Float64Array(0),
  param: () => null,
  derived: () => null,
  paramsAt: () => [],
  paramNames: () => [],
  countParams: () => new Map(),
}
