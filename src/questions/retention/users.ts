import { boundsOf } from '../../base/time/intervals.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { CellOf } from '../engine/contract.ts'
import { toEventName } from '../engine/event-name.ts'
import { countedBy } from '../engine/figures.ts'
import type { Bounds } from '../engine/report.ts'
import type { Cohorts } from './cohorts.ts'
import { retentionFigures } from './contract.ts'
import { type CohortIntervals, intervalsAt } from './finished.ts'
import { findGroupedCohorts } from './group-sizes.ts'
import { type RetentionQuery, type Timetable, timetableOf } from './query.ts'
import { findReturned } from './returns.ts'

/** A cohort, or a cell of its returns. */
export interface CohortCell {
  /** The index of the cohort; null for all cohorts, -1 for one that does not exist. */
  readonly cohort: number | null
  /** The number of intervals after the cohort's own; null for the users of the cohort themselves. */
  readonly offset: number | null
  /** The number of cohorts, from the first one on, that may count. */
  readonly rows: number
}

/** The users of a cohort, or those of them who returned. */
export const retentionUsers = countedBy(retentionFigures, {
  toQuery(params, cell, { today }) {
    const { interval, start_event: start, return_event: back, mode, filters, group_by: grouped } = params
    const bounds = boundsOf(resolvePeriod(params, today), interval, today)
    const retention = {
      startEvent: toEventName(start),
      returnEvent: toEventName(back),
      mode,
      filters,
      groupBy: cell.group ? (grouped[0]?.property ?? null) : null,
      bounds,
      groups: cell.group ? [cell.group] : null,
    }
    return { retention, ...cohortCellOf(cell, intervalsAt({ bounds, mode }, today)) }
  },
  *find(columns, { retention: query, cohort, offset, rows }, bounds) {
    const { cohorts, timetable } = yield* cohortsOf(columns, query, bounds)
    if (offset === null) return usersOf(cohorts, cohort)
    return yield* findReturned({ columns, query, timetable, cohorts }, { cohort, offset, rows })
  },
})

export function cohortCellOf(
  { cohort, offset, complete }: CellOf<typeof retentionFigures>,
  { bounds, finished }: CohortIntervals,
): CohortCell {
  return {
    cohort: cohort === undefined ? null : bounds.slice(0, -1).indexOf(cohort),
    offset: offset ?? null,
    rows: (cohort === undefined && complete ? finished : bounds.length - 1) - (offset ?? 0),
  }
}

/** The cohorts of a query. With a group, users of other groups are in none. */
export function* cohortsOf(
  columns: Columns,
  query: RetentionQuery,
  bounds: Bounds,
): Generator<void, { readonly cohorts: Cohorts; readonly timetable: Timetable }> {
  const timetable = timetableOf(columns.calendar, query.bounds)
  const { cohorts } = yield* findGroupedCohorts({ columns, query, bounds })
  const { groups, intervals } = cohorts
  // The only group has ordinal 0.
  const own = groups ? intervals.map((interval, user) => (groups[user] === 0 ? interval : -1)) : intervals
  return { timetable, cohorts: { ...cohorts, intervals: own } }
}

export function usersOf({ intervals }: Cohorts, cohort: number | null): Uint8Array {
  return Uint8Array.from(intervals, (own) => Number(own >= 0 && (cohort === null || own === cohort)))
}
