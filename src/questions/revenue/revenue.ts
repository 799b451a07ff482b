import { toDouble } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { createGroupRanking } from '../engine/groups.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { type ActiveCounts, addActive, countActiveUsers } from './active-users.ts'
import { addRevenue, countGroups, countRevenue, type Revenue, type RevenueCounts } from './counts.ts'
import { firstPayments } from './first-payments.ts'
import { askForLargestGroups, findLargest } from './largest-groups.ts'
import type { RevenueQuery } from './query.ts'

/** What was paid in one currency. */
export interface RevenueResult {
  readonly all: RevenueCounts
  /** Those with the largest gross first; none where nothing is grouped. */
  readonly groups: readonly RevenueCounts[]
  readonly active: ActiveCounts
}

export const revenueReport: Report<RevenueQuery, RevenueResult, RevenueResult> = {
  name: 'revenue',
  isLarge: ({ groupBy }) => groupBy !== null,
  part: countAll,
  result(parts) {
    const [first] = parts as [RevenueResult]
    const ranking = createGroupRanking<RevenueCounts>()
    for (const index of first.groups.keys()) {
      const counts = parts.map(({ groups }) => groups[index] as RevenueCounts).reduce(addCounts)
      ranking.offer(toDouble(counts.whole.gross), () => counts)
    }
    return {
      all: parts.map(({ all }) => all).reduce(addCounts),
      groups: ranking.items(),
      active: parts.map(({ active }) => active).reduce(addActive),
    }
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

/** Of different users: no user is in two parts. */
function addCounts(a: RevenueCounts, b: RevenueCounts): RevenueCounts {
  return {
    values: a.values,
    days: a.days.map((day, index) => addRevenue(day, b.days[index] as Revenue)),
    whole: addRevenue(a.whole, b.whole),
    before: addRevenue(a.before, b.before),
  }
}
