import type { Period } from '../../time/period.ts'
import type { Filter } from '../filters/filter.ts'

/** What is meant by a question about who was active on the days of a period. */
export interface UserActivityQuery extends Period {
  readonly filters: readonly Filter[]
  readonly before: Period
}
