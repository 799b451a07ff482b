import type { Columns } from '../../columns/columns.ts'
import { createPace } from '../engine/pace.ts'
import { askAboutLargest, askForLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { findGroupedCohorts, groupSizesReport } from '../retention/group-sizes.ts'
import { timetableOf } from '../retention/query.ts'
import { type CountedCohorts, cohortsTogether, withValues } from '../retention/retention.ts'
import { createDayChargeReader } from '../revenue/day-charges.ts'
import { daySlices } from '../revenue/day-slices.ts'
import { type LtvCounts, ltvCounts, PaidCells } from './paid-cells.ts'
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
  const { rules, currency } = query
  const { intervals, days, intervalOf } = timetableOf(columns.calendar, query.cohorts.bounds)
  const { groups, total, cohorts } = yield* findGroupedCohorts({ columns, query: query.cohorts, bounds })
  const reader = createDayChargeReader({ columns, rules, filters: [], currency })
  const paid = new PaidCells(cohorts, { intervals, groups: groups.length })
  const pace = createPace()
  for (const slice of daySlices(columns, reader.names, { from: days[0] ?? 0, to: days.at(-1) ?? -1 })) {
    yield* reader.prepare(slice)
    for (const charges of reader.of(slice).charges) {
      if (charges.day === slice.day && charges.currency === currency) paid.add(charges, intervalOf(slice.day))
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return withValues(paid.counts(), { groups, total })
}
