import { NO_PERIOD } from '../../base/time/divided-period.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { countedBy } from '../engine/figures.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { Bounds } from '../engine/report.ts'
import { funnelFigures } from './contract.ts'
import { askedFunnel, type FunnelQuery } from './query.ts'
import { findProgress } from './search.ts'

export interface FunnelUsersQuery {
  readonly funnel: FunnelQuery
  /** The step, counted from 1. */
  readonly step: number
  readonly isLast: boolean
  /** The group; null for all users. */
  readonly group: GroupValues | null
}

/** The users who reached a step of a funnel or, with `stopped`, got no further. */
export const funnelUsers = countedBy(funnelFigures, {
  toQuery(params, { step, stopped, group = null }, { today }) {
    const asked = askedFunnel(params, { period: resolvePeriod(params, today), before: NO_PERIOD, objects: 1 })
    return { funnel: asked, step, isLast: stopped, group }
  },
  find: findFunnelUsers,
})

export function* findFunnelUsers(
  columns: Columns,
  { funnel: query, step, isLast, group }: FunnelUsersQuery,
  bounds: Bounds,
): Generator<void, Uint8Array> {
  const grouping = group && groupingByText(columns, query.groupBy, closedDictionary([group]))
  const { now } = yield* findProgress({ columns, query, bounds }, grouping)
  const found = new Uint8Array(columns.userCount)
  for (let user = 0; user < found.length; user++) {
    const furthest = now.furthest[user] as number
    // The only group has ordinal 0, as has everyone if nothing is grouped.
    const isMet = now.groupOf(user) === 0 && (isLast ? furthest === step : furthest >= step)
    found[user] = Number(isMet)
  }
  return found
}
