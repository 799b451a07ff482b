import type { RevenueRule } from '../../storage/revenue-rule.ts'
import type { RetentionQuery } from '../retention/query.ts'

/** A question about what the users of cohorts have paid since their first event. */
export interface LtvQuery {
  /** The cohorts: those of retention that begin with any first event. */
  readonly cohorts: RetentionQuery
  readonly rules: readonly RevenueRule[]
  readonly currency: string
}
