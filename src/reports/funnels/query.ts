import type { Period } from '../../time/period.ts'
import type { Filter, Property } from '../filters/filter.ts'

/** What is meant by a question for a funnel. */
export interface FunnelQuery {
  readonly applicationId: number
  /** Two to ten names, in order. */
  readonly steps: readonly [string, string, ...string[]]
  readonly windowMilliseconds: number
  readonly filters: readonly Filter[]
  /** At most two. */
  readonly groupBy: readonly Property[]
  /** In which the first event lies. */
  readonly period: Period
  readonly before: Period
}
