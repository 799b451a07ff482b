import { toDate } from '../../base/time/days.ts'
import type { Columns } from '../../columns/columns.ts'
import { type GroupValues, rankGroups } from '../engine/groups.ts'
import { askAboutLargest, askForLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { grouped, list, type OfGroup, onlyOfOne, record, type Total, together } from '../engine/totals.ts'
import { type CohortIntervals, combinedColumns } from './finished.ts'
import { findGroupedCohorts, type GroupedCohorts, groupSizesReport } from './group-sizes.ts'
import type { RetentionQuery } from './query.ts'
import { type CohortCounts, cohortCounts, countReturns, rowStartsOf } from './returns.ts'

/** Counts of the cohorts of all users, and of those of each group. */
export interface CountedCohorts<Counts> {
  readonly all: Counts
  /** Groups with the most users first; empty if nothing is grouped. */
  readonly groups: readonly OfGroup<Counts>[]
  /** The number of all groups, from an object that knows them; null if nothing is grouped. */
  readonly total: number | null
}

type RetentionResult = CountedCohorts<CohortCounts>

export const retentionReport: Report<RetentionQuery, RetentionResult, RetentionResult> = {
  name: 'retention',
  part: followCohorts,
  result: cohortsTogether(cohortCounts),
}

/** The `result` of a report on cohorts: groups without users are left out, as single objects may not have users of each. */
export function cohortsTogether<Counts extends Pick<CohortCounts, 'users'>>(counts: Total<Counts>) {
  const addUp = together(record({ all: counts, groups: list(grouped(counts)), total: onlyOfOne<number>() }))
  const usersOf = ({ users }: Counts) => users.reduce((sum, count) => sum + count, 0)
  return (parts: readonly CountedCohorts<Counts>[]): CountedCohorts<Counts> => {
    const { groups, ...all } = addUp(parts)
    const withUsers = groups.filter((group) => usersOf(group) > 0)
    return { ...all, groups: rankGroups(withUsers, usersOf).groups }
  }
}

/** Counts of everybody, then of each group, with the groups' values. */
export function withValues<Counts>(
  counts: readonly Counts[],
  { groups, total }: Pick<GroupedCohorts, 'groups' | 'total'>,
): CountedCohorts<Counts> {
  const [all, ...ofGroups] = counts as [Counts, ...Counts[]]
  return { all, groups: ofGroups.map((own, index) => ({ ...own, values: groups[index] as GroupValues })), total }
}

/** Asks for the cohorts of all users, and of the largest groups. */
export function askForRetention(query: RetentionQuery, asking: Asking): Promise<RetentionResult> {
  const { groupBy } = query
  return askAboutLargest(
    asking,
    (groups) => asking.ask(retentionReport, { ...query, groups }),
    groupBy && (() => askForLargest(groupSizesReport, { ...query, groupBy }, asking)),
  )
}

/** Counts cohorts of all users, and of the groups of the query or, without these, of the largest groups. */
function* followCohorts(columns: Columns, query: RetentionQuery, bounds = BOUNDS): Generator<void, RetentionResult> {
  const { groups, total, cohorts } = yield* findGroupedCohorts({ columns, query, bounds })
  const counts = yield* countReturns({ columns, query, cohorts }, groups.length)
  return withValues(counts, { groups, total })
}

/** The figures shown of a group, or of all users. */
export interface RetentionMatrix {
  readonly cohorts: Record<string, number>
  readonly retentionMatrix: string[][]
  readonly combinedRetention: number[]
  readonly combinedComplete: boolean[]
  readonly totalUsers: number
}

export function toMatrix({ users, returned }: CohortCounts, intervals: CohortIntervals): RetentionMatrix {
  const all = Array.from(users)
  const columns = combinedColumns(users, intervals)
  const rowStarts = rowStartsOf(users.length)
  return {
    cohorts: Object.fromEntries(all.map((count, row) => [toDate(intervals.bounds[row] as number), count])),
    retentionMatrix: toPercentages(users, returned),
    combinedRetention: columns.map(({ rows }, column) => {
      let [back, whole] = [0, 0]
      for (let row = 0; row < rows; row++) {
        back += returned[(rowStarts[row] as number) + column] as number
        whole += users[row] as number
      }
      return percentOf(back, whole)
    }),
    combinedComplete: columns.map(({ isComplete }) => isComplete),
    totalUsers: all.reduce((sum, count) => sum + count, 0),
  }
}

/** Uses plain loops, as the largest answer has more than a million cells. */
export function toPercentages(users: Uint32Array, returned: Uint32Array): string[][] {
  const rowStarts = rowStartsOf(users.length)
  const rows: string[][] = []
  for (let row = 0; row < users.length; row++) {
    const cells: string[] = []
    const end = rowStarts[row + 1] as number
    for (let cell = rowStarts[row] as number; cell < end; cell++) {
      cells.push(toCell(returned[cell] as number, users[row] as number))
    }
    rows.push(cells)
  }
  return rows
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole
}

/** 100 percent in hundredths of a percent. */
const WHOLE_HUNDREDTHS = 10_000

/** The text of each percentage, made once: an array without holes is quicker. */
const CELLS: (string | undefined)[] = Array.from({ length: WHOLE_HUNDREDTHS + 1 })

/** Percent with two decimals, halves up, from whole numbers: below 2^53 the floor of their quotient is exact. */
function toCell(part: number, whole: number): string {
  const hundredths = whole === 0 ? 0 : Math.floor((2 * WHOLE_HUNDREDTHS * part + whole) / (2 * whole))
  CELLS[hundredths] ??= `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
  return CELLS[hundredths] as string
}
