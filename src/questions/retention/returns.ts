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

/** Takes a return of a user in an interval, and the interval of the user's cohort. */
type TakeReturn = (user: number, cohort: number, interval: number) => void

const NEVER = -1

/** Finds returns: one per user and interval or, in mode `unbounded`, the last one of each user. */
function* findReturns({ columns, query, cohorts }: ReturnSearch, take: TakeReturn): Generator<void> {
  const { returnEvent: event, bounds, mode } = query
  const isUnbounded = mode === 'unbounded'
  const { intervals } = cohorts
  const last = new Int16Array(intervals.length).fill(NEVER)
  const selection = createSelection(columns, { filters: [] })
  const asked = { event, properties: [], needsEvents: false }
  const divided = dividedAt(columns.calendar, timetableOf(bounds).period, bounds.slice(0, -1))
  for (const batch of batchesOf(columns, selection, asked, divided)) {
    takeBatch(batch, { cohorts, last, take: isUnbounded ? null : take })
    yield
  }
  if (!isUnbounded) return
  for (let user = 0; user < last.length; user++) {
    if (last[user] !== NEVER) take(user, intervals[user] as number, last[user] as number)
  }
}

interface Returning {
  readonly cohorts: Cohorts
  /** Per user: the interval of the last return so far. */
  readonly last: Int16Array
  /** Null if only last returns matter. */
  readonly take: TakeReturn | null
}

function takeBatch({ interval, rows, segment }: IntervalBatch, { cohorts, last, take }: Returning): void {
  const { users, from, to } = rows
  const { intervals, times: firstTimes } = cohorts
  // Any event is a return, so a first event is one itself: there are no segments then.
  const times = firstTimes && segment ? segment.times : null
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    const cohort = intervals[user] as number
    if (cohort < 0 || cohort > interval || last[user] === interval) continue
    if (cohort === interval && times && firstTimes && (times[index] as number) < (firstTimes[user] as number)) continue
    last[user] = interval
    if (take) take(user, cohort, interval)
  }
}

/** Counts returns of all users, then of each group; ordinals of groups are below their number. */
export function* countReturns(search: ReturnSearch, groups: number): Generator<void, CohortCounts[]> {
  const { query, cohorts } = search
  const intervals = Math.max(0, query.bounds.length - 1)
  const rowStarts = rowStartsOf(intervals)
  const cells = rowStarts[intervals] as number
  /** Returned users by cell: of all users, then of each group. */
  const returned = new Uint32Array((groups + 1) * cells)
  yield* findReturns(search, (user, cohort, interval) => {
    const cell = (rowStarts[cohort] as number) + interval - cohort
    increase(returned, cell)
    const group = cohorts.groups ? (cohorts.groups[user] as number) : groups
    if (group < groups) increase(returned, (group + 1) * cells + cell)
  })
  return cohortSizes(cohorts, { intervals, groups }).map((users, group) => {
    const own = returned.slice(group * cells, (group + 1) * cells)
    if (query.mode === 'unbounded') addLater(own, rowStarts)
    return { users, returned: own }
  })
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
  *find(columns, { retention: query, cohort, offset, rows }, bounds) {
    const cohorts = yield* cohortsOf(columns, query, bounds)
    if (offset === null) return usersOf(cohorts, cohort)
    const found = new Uint8Array(columns.userCount)
    yield* findReturns({ columns, query, cohorts }, (user, own, interval) => {
      const [isCounted, after] = [own < rows && (cohort === null || own === cohort), interval - own]
      if (isCounted && (query.mode === 'unbounded' ? after >= offset : after === offset)) found[user] = 1
    })
    return found
  },
})
