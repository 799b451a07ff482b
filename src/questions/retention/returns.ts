import { dividedAt } from '../../base/time/divided-period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { batchesOf } from '../../columns/selection/batches.ts'
import { createSelection, type IntervalBatch } from '../../columns/selection/selection.ts'
import { countedBy } from '../engine/figures.ts'
import { counts, record, type TotalOf } from '../engine/totals.ts'
import { type Cohorts, cohortSizes, usersOf } from './cohorts.ts'
import { retentionFigures } from './contract.ts'
import { cohortCellOf, intervalsAt } from './finished.ts'
import { cohortsOf } from './group-sizes.ts'
import { askedRetention, ofGroup, type RetentionQuery, timetableOf } from './query.ts'

/** The users of a group, or of everybody, and how many of them came back. */
export const cohortCounts = record({
  /** How many they are, by the interval of their first event. */
  users: counts,
  /** Those of each interval's users who came back in it, in the one after it, and so on; one interval after another. */
  returned: counts,
})

export type CohortCounts = TotalOf<typeof cohortCounts>

interface ReturnSearch {
  readonly columns: Columns
  readonly query: RetentionQuery
  readonly cohorts: Cohorts
}

/** Users who returned, none of them twice. The next ones overwrite the arrays. */
interface Returned {
  length: number
  readonly users: Uint32Array
  /** Per user: the interval of the return. */
  readonly intervals: Int16Array
}

const NEVER = -1

/** Finds returns: one per user and interval or, in mode `unbounded`, the last one of each user. Others may be empty, to yield. */
function* returnsOf({ columns, query, cohorts }: ReturnSearch): Generator<Returned> {
  const { returnEvent: event, bounds, mode } = query
  const { userCount, calendar } = columns
  const returned = { length: 0, users: new Uint32Array(userCount), intervals: new Int16Array(userCount).fill(NEVER) }
  const selection = createSelection(columns, { filters: [] })
  const divided = dividedAt(calendar, timetableOf(bounds).period, bounds.slice(0, -1))
  for (const batch of batchesOf(columns, selection, { event, properties: [], needsEvents: false }, divided)) {
    addReturns(batch, cohorts, returned)
    if (mode === 'unbounded') returned.length = 0
    yield returned
  }
  if (mode === 'unbounded') yield { ...returned, ...everybodyIn(returned) }
}

/** Takes a user's returns of an interval as one, in order of intervals. */
function addReturns({ interval, rows, segment }: IntervalBatch, cohorts: Cohorts, returned: Returned): void {
  const { users, from, to } = rows
  const { intervals: cohortOf, times: firstTimes } = cohorts
  const { users: returnedUsers, intervals: last } = returned
  // Without a segment, any event is a return: first events are returns themselves.
  const times = firstTimes && segment ? segment.times : null
  let length = 0
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    const cohort = cohortOf[user] as number
    if (cohort < 0 || cohort > interval || last[user] === interval) continue
    if (cohort === interval && times && firstTimes && (times[index] as number) < (firstTimes[user] as number)) continue
    last[user] = interval
    returnedUsers[length++] = user
  }
  returned.length = length
}

function everybodyIn({ users, intervals }: Returned): Pick<Returned, 'length' | 'users'> {
  let length = 0
  for (let user = 0; user < intervals.length; user++) if (intervals[user] !== NEVER) users[length++] = user
  return { length, users }
}

/** Counts returns of all users, then of each group; ordinals of groups are below their number. */
export function* countReturns(search: ReturnSearch, groups: number): Generator<void, CohortCounts[]> {
  const { query, cohorts } = search
  const intervals = Math.max(0, query.bounds.length - 1)
  const rowStarts = rowStartsOf(intervals)
  const cells = rowStarts[intervals] as number
  const counts = Array.from({ length: groups + 1 }, () => new Uint32Array(cells))
  for (const returned of returnsOf(search)) {
    addToCells(returned, cohorts, { rowStarts, counts })
    yield
  }
  return cohortSizes(cohorts, { intervals, groups }).map((users, group) => {
    const returned = counts[group] as Uint32Array
    if (query.mode === 'unbounded') addLater(returned, rowStarts)
    return { users, returned }
  })
}

interface Cells {
  readonly rowStarts: Uint32Array
  /** Returned users by cell: of all users, then of each group. */
  readonly counts: readonly Uint32Array[]
}

function addToCells({ length, users, intervals }: Returned, cohorts: Cohorts, { rowStarts, counts }: Cells): void {
  const all = counts[0] as Uint32Array
  const { intervals: cohortOf, groups } = cohorts
  for (let index = 0; index < length; index++) {
    const user = users[index] as number
    const cohort = cohortOf[user] as number
    const cell = (rowStarts[cohort] as number) + (intervals[user] as number) - cohort
    increase(all, cell)
    const group = groups ? (groups[user] as number) + 1 : 0
    if (group > 0 && group < counts.length) increase(counts[group] as Uint32Array, cell)
  }
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
  toQuery(params, cell, { today }) {
    const retention = askedRetention(params, today)
    return { retention: ofGroup(retention, cell.group), ...cohortCellOf(cell, intervalsAt(retention, today)) }
  },
  *find(columns, { retention: query, ...cell }, bounds) {
    const cohorts = yield* cohortsOf(columns, query, cell, bounds)
    if (cell.offset === null) return usersOf(cohorts)
    const found = new Uint8Array(columns.userCount)
    for (const returned of returnsOf({ columns, query, cohorts })) {
      markReturned(returned, cohorts, { after: cell.offset, orLater: query.mode === 'unbounded' }, found)
      yield
    }
    return found
  },
})

interface Offset {
  /** The number of intervals after a cohort's own. */
  readonly after: number
  /** Whether later returns count as well. */
  readonly orLater: boolean
}

function markReturned(
  { length, users, intervals }: Returned,
  { intervals: cohortOf }: Cohorts,
  { after, orLater }: Offset,
  found: Uint8Array,
): void {
  for (let index = 0; index < length; index++) {
    const user = users[index] as number
    const difference = (intervals[user] as number) - (cohortOf[user] as number)
    if (difference === after || (orLater && difference > after)) found[user] = 1
  }
}
