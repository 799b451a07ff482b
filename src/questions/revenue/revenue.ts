import { toDouble } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { createGroupRanking } from '../engine/groups.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { list, record, type TotalOf, together } from '../engine/totals.ts'
import { activeUsers, countActiveUsers } from './active-users.ts'
import { countGroups, countRevenue, type RevenueCounts, revenueCounts } from './counts.ts'
import { firstPayments } from './first-payments.ts'
import { askForLargestGroups, findLargest } from './largest-groups.ts'
import type { RevenueQuery } from './query.ts'

/** What was paid in one currency. */
const revenue = record({
  all: revenueCounts,
  /** Those with the largest gross first; none where nothing is grouped. */
  groups: list(revenueCounts),
  active: activeUsers,
})

export type RevenueResult = TotalOf<typeof revenue>

export const revenueReport: Report<RevenueQuery, RevenueResult, RevenueResult> = {
  name: 'revenue',
  isLarge: ({ groupBy }) => groupBy !== null,
  part: countAll,
  result(parts) {
    const { groups, ...all } = together(revenue)(parts)
    const ranking = createGroupRanking<RevenueCounts>()
    for (const group of groups) ranking.offer(toDouble(group.whole.gross), () => group)
    return { ...all, groups: ranking.items() }
  },
}

/** Asks for the revenue of all, and of the largest groups. */
export async function askForRevenue(query: RevenueQuery, { objects, ask }: Asking): Promise<RevenueResult> {
  const { groupBy } = query
  if (objects === 1 || !groupBy) return ask(revenueReport, query)
  return ask(revenueReport, { ...query, groups: await askForLargestGroups({ ...query, groupBy }, ask) })
}

function* countAll(columns: Columns, query: RevenueQuery, bounds = BOUNDS): Generator<void, RevenueResult> {
  const { groupBy } = query
  const firsts = yield* firstPayments(columns, query)
  const all = yield* countRevenue(columns, query, firsts)
  const active = yield* countActiveUsers(columns, query)
  if (!groupBy) return { all, groups: [], active }
  const grouped = { ...query, groupBy }
  const groups = query.groups ?? (yield* findLargest({ columns, query: grouped, bounds }))
  return { all, groups: yield* countGroups(columns, grouped, { groups, firsts }), active }
}
