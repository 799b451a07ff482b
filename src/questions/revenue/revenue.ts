import { toDouble } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { OTHER, rankGroups } from '../engine/groups.ts'
import { askAboutLargest, askForLargest, findLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { list, onlyOfOne, record, type TotalOf, together } from '../engine/totals.ts'
import { activeUsers, countActiveUsers } from './active-users.ts'
import { countRevenue, type Revenue, type RevenueCounts, revenueCounts, withoutPayments } from './counts.ts'
import { firstPayments } from './first-payments.ts'
import { grossOf, groupGrossReport, searchGroups } from './largest-groups.ts'
import type { RevenueQuery } from './query.ts'

/** Revenue in one currency. */
const revenue = record({
  all: revenueCounts,
  /** Groups by gross revenue, largest first; empty if nothing is grouped. */
  groups: list(revenueCounts),
  /** The number of all groups, from an object with all users; null if nothing is grouped. */
  total: onlyOfOne<number>(),
  active: activeUsers,
})

export type RevenueResult = TotalOf<typeof revenue>

export const revenueReport: Report<RevenueQuery, RevenueResult, RevenueResult> = {
  name: 'revenue',
  isLarge: ({ groupBy }) => groupBy !== null,
  part: countAll,
  result(parts) {
    const { groups, ...all } = together(revenue)(parts)
    return { ...all, groups: rankGroups(groups, ({ whole }) => toDouble(whole.gross)).groups }
  },
}

/** Asks for the revenue of all, and of the largest groups. */
export function askForRevenue(query: RevenueQuery, asking: Asking): Promise<RevenueResult> {
  const { groupBy } = query
  return askAboutLargest(
    asking,
    (groups) => asking.ask(revenueReport, { ...query, groups }),
    groupBy && (() => askForLargest(groupGrossReport, { ...query, groupBy }, asking)),
  )
}

function* countAll(columns: Columns, query: RevenueQuery, bounds = BOUNDS): Generator<void, RevenueResult> {
  const { groupBy } = query
  const firsts = yield* firstPayments(columns, query)
  const [all] = (yield* countRevenue(columns, { ...query, groups: null }, firsts)) as [RevenueCounts]
  const active = yield* countActiveUsers(columns, query)
  if (!groupBy) return { all, groups: [], total: null, active }
  const pass = { columns, query: { ...query, groupBy }, bounds }
  const found = query.groups ? null : yield* findLargest(searchGroups(pass), grossOf)
  const chosen = query.groups ?? found?.largest.map(({ values }) => values) ?? []
  const groups = yield* countRevenue(columns, { ...query, groups: chosen }, firsts)
  return { all, groups, total: found?.total ?? null, active }
}

/** All payments without those of some groups. Users are left out, since they may pay in several groups. */
export function withoutGroups(all: RevenueCounts, groups: readonly RevenueCounts[]): RevenueCounts {
  return groups.reduce(
    (rest, { days, whole, before }) => ({
      values: [OTHER],
      days: rest.days.map((day, index) => withoutPayments(day, days[index] as Revenue)),
      whole: withoutPayments(rest.whole, whole),
      before: withoutPayments(rest.before, before),
    }),
    all,
  )
}
