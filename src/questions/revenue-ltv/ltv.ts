import { add, type Decimal } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { askForLargestGroups } from '../group-users.ts'
import { createGroupRanking, type GroupValues } from '../groups.ts'
import { createPace } from '../pace.ts'
import { type Asking, BOUNDS, type Report } from '../question.ts'
import { findGroupedCohorts, groupSizesReport } from '../retention/group-sizes.ts'
import { timetableOf } from '../retention/query.ts'
import { createChargeReader } from '../revenue/charges.ts'
import { type LtvCounts, PaidCells } from './paid-cells.ts'
import type { LtvQuery } from './query.ts'

interface GroupLtv extends LtvCounts {
  readonly values: GroupValues
}

export interface LtvResult {
  readonly all: LtvCounts
  /** Those with most users first; none where nothing is grouped. */
  readonly groups: readonly GroupLtv[]
}

export const revenueLtvReport: Report<LtvQuery, LtvResult, LtvResult> = {
  name: 'lifetime value',
  isLarge: () => true,
  part: followPayments,
  result(parts) {
    const [first] = parts as [LtvResult]
    const ranking = createGroupRanking<GroupLtv>()
    for (const [index, { values }] of first.groups.entries()) {
      const counts = parts.map(({ groups }): LtvCounts => groups[index] as GroupLtv).reduce(addCounts)
      const users = counts.users.reduce((sum, count) => sum + count, 0)
      if (users > 0) ranking.offer(users, () => ({ values, ...counts }))
    }
    return { all: parts.map(({ all }) => all).reduce(addCounts), groups: ranking.items() }
  },
}

/** Of different users: no user is in two parts. */
function addCounts(a: LtvCounts, b: LtvCounts): LtvCounts {
  const net = new Map<number, Decimal>(a.net)
  for (const [cell, amount] of b.net) {
    const known = net.get(cell)
    net.set(cell, known ? add(known, amount) : amount)
  }
  return { users: sumOf(a.users, b.users), beginners: sumOf(a.beginners, b.beginners), net: [...net] }
}

function sumOf(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((count, index) => count + (b[index] as number))
}

/** Asks for the cohorts of all users, and of the largest groups. */
export async function askForLtv(query: LtvQuery, { objects, ask }: Asking): Promise<LtvResult> {
  const { cohorts } = query
  const { groupBy } = cohorts
  if (objects === 1 || !groupBy) return ask(revenueLtvReport, query)
  const groups = await askForLargestGroups((share) => ask(groupSizesReport, { ...cohorts, groupBy, share }))
  return ask(revenueLtvReport, { ...query, cohorts: { ...cohorts, groups } })
}

function* followPayments(columns: Columns, query: LtvQuery, bounds = BOUNDS): Generator<void, LtvResult> {
  const { rules, currency } = query
  const { intervals, days, intervalOf } = timetableOf(columns.calendar, query.cohorts.bounds)
  const { groups, cohorts } = yield* findGroupedCohorts({ columns, query: query.cohorts, bounds })
  const ordinalOf = (code: string) => (code === currency ? 0 : OUTSIDE)
  const reader = createChargeReader({ columns, rules, filters: [], ordinalOf })
  const paid = new PaidCells(cohorts, { intervals, groups: groups.length, currency })
  const pace = createPace()
  for (const day of days) {
    for (const slice of columns.slicesOf(reader.names, spanOf(columns.calendar, { from: day, to: day }))) {
      for (const charges of reader.of(slice)) paid.add(charges, intervalOf(day))
      if (pace.isDue(slice.to - slice.from)) yield
    }
  }
  const [all, ...ofGroups] = paid.counts() as [LtvCounts, ...LtvCounts[]]
  return { all, groups: ofGroups.map((own, index) => ({ values: groups[index] as GroupValues, ...own })) }
}
