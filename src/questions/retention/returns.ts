import { dividedAt } from '../../base/time/divided-period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase, mark } from '../../columns/flat-arrays.ts'
import { batchesOf } from '../../columns/selection/batches.ts'
import { createSelection, type IntervalBatch } from '../../columns/selection/selection.ts'
import { countedBy } from '../engine/figures.ts'
import { counts, record, type TotalOf } from '../engine/totals.ts'
import { type Cohorts, cohortSizes, usersOf } from './cohorts.ts'
import { retentionFigures } from './contract.ts'
import { cohortCellOf, intervalsAt } from './finished.ts'
import { cohortsOf } from './group-sizes.ts'
import {
  askedRetention,
  type CohortRange,
  OUTSIDE_INTERVALS,
  ofGroup,
  type RetentionQuery,
  timetableOf,
} from './query.ts'

/** The users of a group, or of everybody, and how many of them came back. */
export const cohortCounts = record({
  /** How many they are, by the interval of their first event. */
  users: counts,
  /** How many users of each interval came back in it, in the one after it, and so on; one interval after another. */
  returned: counts,
})

export type CohortCounts = TotalOf<typeof cohortCounts>

interface ReturnSearch {
  readonly columns: Columns
  readonly query: RetentionQuery
  readonly cohorts: Cohorts
}

/** Takes the first `length` of these users, who returned in an interval, none of them twice. The next ones overwrite the array. */
type TakeReturned = (users: Uint32Array, length: number, interval: number) => void

/**
 * Finds returns, and per user the interval of the last one, or `OUTSIDE_INTERVALS`. Only those this many intervals after a cohort's own
 * count, or also later ones in mode `unbounded`; with null, all of them.
 */
function* findReturns(
  { columns, query, cohorts }: ReturnSearch,
  after: number | null,
  take: TakeReturned,
): Generator<void, Int16Array> {
  const { returnEvent: event, bounds, mode } = query
  const lasts = new Int16Array(columns.userCount).fill(OUTSIDE_INTERVALS)
  const selection = createSelection(columns, { filters: [] })
  const divided = dividedAt(columns.calendar, timetableOf(bounds).period, bounds.slice(0, -1))
  let room = new Uint32Array(0)
  for (const batch of batchesOf(columns, selection, { event, properties: [], needsEvents: false }, divided)) {
    const { interval, rows } = batch
    if (room.length < rows.to - rows.from) room = new Uint32Array(rows.to - rows.from)
    const last = interval - (after ?? 0)
    const first = after === null || mode === 'unbounded' ? 0 : Math.max(0, last)
    const length = addReturns(batch, { first, last }, { cohorts, lasts, room })
    take(room, length, interval)
    yield
  }
  return lasts
}

interface Returned {
  readonly cohorts: Cohorts
  /** Per user: the interval of the last return so far. */
  readonly lasts: Int16Array
  /** For the users who returned. */
  readonly room: Uint32Array
}

/** Takes a user's returns of an interval as one, in order of intervals. Returns how many users of these cohorts returned. */
function addReturns(
  { interval, rows, segment }: IntervalBatch,
  { first, last }: CohortRange,
  { cohorts, lasts, room }: Returned,
): number {
  const { users, from, to } = rows
  const { intervals: cohortOf, times: firstTimes } = cohorts
  // Without a segment, any event is a return: first events are returns themselves.
  const times = firstTimes && segment ? segment.times : null
  let length = 0
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    const cohort = cohortOf[user] as number
    if (cohort < first || cohort > last || lasts[user] === interval) continue
    if (cohort === interval && times && firstTimes && (times[index] as number) < (firstTimes[user] as number)) continue
    lasts[user] = interval
    room[length++] = user
  }
  return length
}

/** Counts returns of all users, then of each group; ordinals of groups are below their number. */
export function* countReturns(search: ReturnSearch, groups: number): Generator<void, CohortCounts[]> {
  const { query, cohorts } = search
  const intervals = Math.max(0, query.bounds.length - 1)
  const rowStarts = rowStartsOf(intervals)
  const counts = Array.from({ length: groups + 1 }, () => new Uint32Array(rowStarts[intervals] as number))
  const cells = { rowStarts, counts }
  if (query.mode === 'unbounded') {
    const lasts = yield* findReturns(search, null, () => {})
    for (let user = 0; user < lasts.length; user++) addToCells(user, lasts[user] as number, cohorts, cells)
    for (const returned of counts) addLater(returned, rowStarts)
  } else {
    yield* findReturns(search, null, (users, length, interval) => {
      for (let at = 0; at < length; at++) addToCells(users[at] as number, interval, cohorts, cells)
    })
  }
  return cohortSizes(cohorts, { intervals, groups }).map((users, group) => {
    return { users, returned: counts[group] as Uint32Array }
  })
}

interface Cells {
  readonly rowStarts: Uint32Array
  /** Returned users by cell: of all users, then of each group. */
  readonly counts: readonly Uint32Array[]
}

function addToCells(
  user: number,
  interval: number,
  { intervals: cohortOf, groups }: Cohorts,
  { rowStarts, counts }: Cells,
): void {
  if (interval === OUTSIDE_INTERVALS) return
  const cohort = cohortOf[user] as number
  const cell = (rowStarts[cohort] as number) + interval - cohort
  increase(counts[0] as Uint32Array, cell)
  const group = groups ? (groups[user] as number) + 1 : 0
  if (group > 0 && group < counts.length) increase(counts[group] as Uint32Array, cell)
}

/** Makes a return in interval n count for all intervals up to n. */
function addLater(returned: Uint32Array, rowStarts: Uint32Array): void {
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    const [first, end] = [rowStarts[row] as number, rowStarts[row + 1] as number]
    for (let cell = end - 2; cell >= first; cell--) increase(returned, cell, returned[cell + 1] as number)
  }
}

/** The first cell of each cohort. The cohort of interval i has a cell for it and for each later interval. */
export function rowStartsOf(intervals: number): Uint32Array {
  const starts = new Uint32Array(intervals + 1)
  for (let row = 0; row < intervals; row++) starts[row + 1] = (starts[row] as number) + intervals - row
  return starts
}

/** The users of a cohort, or those of them who returned. */
export const retentionUsers = countedBy(retentionFigures, {
  toQuery(params, cell, { period, today }) {
    const retention = askedRetention(params, { period, today })
    return { retention: ofGroup(retention, cell.group), ...cohortCellOf(cell, intervalsAt(retention, today)) }
  },
  *find(columns, { retention: query, ...cell }, bounds) {
    const cohorts = yield* cohortsOf(columns, query, cell, bounds)
    if (cell.offset === null) return usersOf(cohorts)
    const found = new Uint8Array(columns.userCount)
    yield* findReturns({ columns, query, cohorts }, cell.offset, (users, length) => mark(found, users, 0, length))
    return found
  },
})
