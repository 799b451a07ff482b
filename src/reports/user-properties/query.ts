import type { Period } from '../../time/period.ts'
import type { AggregationParam } from './contract.ts'

/** What is meant: the users active in a period by one property. */
export interface UserPropertiesQuery extends Period {
  readonly applicationId: number
  readonly property: AggregationParam
  readonly limit: number
}
