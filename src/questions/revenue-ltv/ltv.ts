import { boundsOf } from '../../base/time/intervals.ts'
import type { Columns } from '../../columns/columns.ts'
import { countedBy } from '../engine/figures.ts'
import { askAboutLargest, askForLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { usersOf } from '../retention/cohorts.ts'
import { cohortCellOf, intervalsAt } from '../retention/finished.ts'
import { cohortsOf, findGroupedCohorts, groupSizesReport } from '../retention/group-sizes.ts'
import { timetableOf } from '../retention/query.ts'
import { type CountedCohorts, cohortsTogether, withValues } from '../retention/retention.ts'
import { ltvFigures } from './contract.ts'
import { countPaid, findPaid, type LtvCounts, ltvCounts, NEVER } from './paid-cells.ts'
import type { LtvQuery } from './query.ts'

type LtvResult = CountedCohorts<LtvCounts>

export const revenueLtvReport: Report<LtvQuery, LtvResult, LtvResult> = {
  name: 'lifetime value',
  isLarge: () => true,
  part: followPayments,
  result: cohortsTogether(ltvCounts),
}

/** Asks for the cohorts of all users, and of the largest groups. */
export function askForLtv(query: LtvQuery, asking: Asking): Promise<LtvResult> {
  const { cohorts } = query
  const { groupBy } = cohorts
  return askAboutLargest(
    asking,
    (groups) => asking.ask(revenueLtvReport, { ...query, cohorts: { ...cohorts, groups } }),
    groupBy && (() => askForLargest(groupSizesReport, { ...cohorts, groupBy }, asking)),
  )
}

function* followPayments(columns: Columns, query: LtvQuery, bounds = BOUNDS): Generator<void, LtvResult> {
  const timetable = timetableOf(query.cohorts.bounds)
  const { groups, total, cohorts } = yield* findGroupedCohorts({ columns, query: query.cohorts, bounds })
  const counts = yield* countPaid({ columns, query, timetable, cohorts, groups: groups.length })
  return withValues(counts, { groups, total })
}

/** The users of a cohort, or those of them who have paid by the end of an interval. */
export const ltvUsers = countedBy(ltvFigures, {
  toQuery(params, cell, { today, period, revenueRules: rules }) {
    const { interval, filters, currency = '', group_by: grouped } = params
    const bounds = boundsOf(period, interval, today)
    const groupBy = cell.group ? (grouped[0]?.property ?? null) : null
    const groups = cell.group ? [cell.group] : null
    const cohorts = { startEvent: null, returnEvent: null, mode: 'n', filters, groupBy, bounds, groups } as const
    return { ltv: { cohorts, rules, currency }, ...cohortCellOf(cell, intervalsAt(cohorts, today)) }
  },
  *find(columns, { ltv: query, ...cell }, bounds) {
    const cohorts = yield* cohortsOf(columns, query.cohorts, cell, bounds)
    const { offset } = cell
    const all = usersOf(cohorts)
    if (offset === null) return all
    const timetable = timetableOf(query.cohorts.bounds)
    const { began } = yield* findPaid({ columns, query, timetable, cohorts, groups: 0 }, null)
    for (let user = 0; user < all.length; user++) {
      const interval = began[user] as number
      if (interval === NEVER || interval - (cohorts.intervals[user] as number) > offset) all[user] = 0
    }
    return all
  },
})
