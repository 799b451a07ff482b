import type { Columns } from '../../columns/columns.ts'
import { increase, lowerBound } from '../../columns/flat-arrays.ts'
import { counts, record, type TotalOf } from '../engine/totals.ts'
import { type Cohorts, cohortSizes } from './cohorts.ts'
import type { RetentionQuery, Timetable } from './query.ts'

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
  readonly timetable: Timetable
  readonly cohorts: Cohorts
  /** The number of groups; their ordinals are below it. */
  readonly groups: number
}

/** Counts returns of all users, then of each group. */
export function* countReturns(search: ReturnSearch): Generator<void, CohortCounts[]> {
  const { query, timetable, cohorts, groups } = search
  const returns = new Returns(cohorts, {
    intervals: timetable.intervals,
    groups,
    isUnbounded: query.mode === 'unbounded',
  })
  for (const batch of batchesIn(search)) {
    returns.add(batch)
    yield
  }
  return returns.counts()
}

/** Users of return events in one interval. */
interface Batch {
  readonly interval: number
  readonly users: Uint32Array
  readonly from: number
  readonly to: number
  /** The times of the events; null if none is before a first event, or if a first event counts as a return itself. */
  readonly times: Float64Array | null
}

/** Users of return events, in order of intervals. */
function batchesIn({ columns, query, timetable, cohorts }: Omit<ReturnSearch, 'groups'>): Iterable<Batch> {
  if (query.returnEvent === null) return activeUsers(columns, timetable)
  return usersOfEvent(columns, query.returnEvent, timetable, cohorts.times !== null)
}

/** Users who were active. A user is active at the first event, so its interval always counts. */
function* activeUsers(columns: Columns, { days, intervalOf }: Timetable): Generator<Batch> {
  for (const day of days) {
    const { length, users } = columns.pairsOf(day)
    yield { interval: intervalOf(day), users, from: 0, to: length, times: null }
  }
}

function* usersOfEvent(columns: Columns, name: string, timetable: Timetable, needsTimes: boolean): Generator<Batch> {
  const { span, intervalOf, endOf } = timetable
  for (const { segment, from, to } of columns.slicesOf(name, span)) {
    const { times, users } = segment
    for (let start = from; start < to; ) {
      const interval = intervalOf(columns.calendar.dayOf(times[start] as number))
      const end = lowerBound(times, endOf(interval), start, to)
      yield { interval, users, from: start, to: end, times: needsTimes ? times : null }
      start = end
    }
  }
}

/** A cell of retention; a cohort of null means all cohorts. */
export interface ReturnCell {
  readonly cohort: number | null
  /** The number of intervals after the cohort's own. */
  readonly offset: number
  /** The number of cohorts, from the first one on, that may count. */
  readonly rows: number
}

/** Finds the users of a cell who returned: one byte per user, 1 if they did. */
export function* findReturned(
  search: Omit<ReturnSearch, 'groups'>,
  { cohort, offset, rows }: ReturnCell,
): Generator<void, Uint8Array> {
  const { intervals, times: firstTimes } = search.cohorts
  const isUnbounded = search.query.mode === 'unbounded'
  const found = new Uint8Array(intervals.length)
  for (const { interval, users, from, to, times } of batchesIn(search)) {
    for (let index = from; index < to; index++) {
      const user = users[index] as number
      const own = intervals[user] as number
      if (own < 0 || own >= rows || (cohort !== null && own !== cohort)) continue
      const after = interval - own
      if (isUnbounded ? after < offset : after !== offset) continue
      if (after === 0 && times && firstTimes && (times[index] as number) < (firstTimes[user] as number)) continue
      found[user] = 1
    }
    yield
  }
  return found
}

const NEVER = -1

interface Size {
  readonly intervals: number
  readonly groups: number
  readonly isUnbounded: boolean
}

class Returns {
  readonly #cohorts: Cohorts
  readonly #size: Size
  readonly #rowStarts: Uint32Array
  /** Returned users by cell: of all users, then of each group. */
  readonly #returned: Uint32Array
  /** Per user: the interval of the last return so far. */
  readonly #last: Int16Array

  constructor(cohorts: Cohorts, size: Size) {
    this.#cohorts = cohorts
    this.#size = size
    this.#rowStarts = rowStartsOf(size.intervals)
    this.#returned = new Uint32Array((size.groups + 1) * this.#cells)
    this.#last = new Int16Array(cohorts.intervals.length).fill(NEVER)
  }

  get #cells(): number {
    return this.#rowStarts[this.#size.intervals] as number
  }

  add({ interval, users, from, to, times }: Batch): void {
    const { intervals, times: firstTimes } = this.#cohorts
    const last = this.#last
    const countsEach = !this.#size.isUnbounded
    for (let index = from; index < to; index++) {
      const user = users[index] as number
      const cohort = intervals[user] as number
      if (cohort < 0 || cohort > interval || last[user] === interval) continue
      if (cohort === interval && times && firstTimes && (times[index] as number) < (firstTimes[user] as number))
        continue
      last[user] = interval
      if (countsEach) this.#count(user, cohort, interval)
    }
  }

  #count(user: number, cohort: number, interval: number): void {
    const cell = (this.#rowStarts[cohort] as number) + interval - cohort
    increase(this.#returned, cell)
    const { groups } = this.#cohorts
    const group = groups ? (groups[user] as number) : this.#size.groups
    if (group < this.#size.groups) increase(this.#returned, (group + 1) * this.#cells + cell)
  }

  /** Returns the counts, once everything is added. */
  counts(): CohortCounts[] {
    if (this.#size.isUnbounded) this.#countLast()
    const cells = this.#cells
    return cohortSizes(this.#cohorts, this.#size).map((users, group) => ({
      users,
      returned: this.#returned.slice(group * cells, (group + 1) * cells),
    }))
  }

  /** Counts unbounded returns: a return in interval n counts for all intervals up to n. */
  #countLast(): void {
    const { intervals } = this.#cohorts
    for (let user = 0; user < intervals.length; user++) {
      const last = this.#last[user] as number
      if (last !== NEVER) this.#count(user, intervals[user] as number, last)
    }
    for (let group = 0; group <= this.#size.groups; group++) this.#addLater(group * this.#cells)
  }

  #addLater(offset: number): void {
    for (let row = 0; row < this.#size.intervals; row++) {
      const [first, end] = [this.#rowStarts[row] as number, this.#rowStarts[row + 1] as number]
      for (let cell = end - 2; cell >= first; cell--) {
        increase(this.#returned, offset + cell, this.#returned[offset + cell + 1] as number)
      }
    }
  }
}

/** The first cell of each cohort. The cohort of interval i has a cell for it and for each later interval. */
export function rowStartsOf(intervals: number): Uint32Array {
  const starts = new Uint32Array(intervals + 1)
  for (let row = 0; row < intervals; row++) starts[row + 1] = (starts[row] as number) + intervals - row
  return starts
}
