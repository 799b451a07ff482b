import type { Period } from '../../base/time/period.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import type { GroupValues } from '../engine/groups.ts'

/** A question about payments. */
export interface ChargesQuery extends Period {
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
}

/** A question for the currencies of a share of all. */
export interface CurrenciesQuery extends ChargesQuery {
  readonly share: Share
}

/** A question about the payments in one currency. */
export interface RevenueQuery extends ChargesQuery {
  readonly currency: string
  readonly groupBy: EventProperty | null
  readonly before: Period
  /** The groups to answer about, if they are already chosen; null for the largest. */
  readonly groups: readonly GroupValues[] | null
}

/** A question for the gross revenue of the groups of a share. */
export interface GrossQuery extends RevenueQuery {
  readonly groupBy: EventProperty
  readonly share: Share
}
