import type { Period } from '../../time/period.ts'
import type { Filter, Property } from '../filters/filter.ts'
import type { Mode } from './contract.ts'

/** What is meant by a question about one event. */
export interface EventSegmentsQuery extends Period {
  readonly applicationId: number
  /** Null for any event. */
  readonly event: string | null
  readonly mode: Mode
  readonly filters: readonly Filter[]
  /** At most two. */
  readonly groupBy: readonly Property[]
  readonly before: Period
}
