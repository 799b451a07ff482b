import type { PropertyName } from '../../collection/event.ts'
import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'
import type { AggregationParam } from './contract.ts'

/** What is meant: the users active in a period by one property. */
export interface UserPropertiesQuery extends Period {
  readonly property: PropertyName
  readonly limit: number
  readonly before: Period
  /** Every value of this share, where other objects know more of them; null for the values with most users. */
  readonly share: Share | null
}

/** The properties by what they are asked for as. */
export const PROPERTIES: Readonly<Record<AggregationParam, PropertyName>> = {
  language: 'language',
  is_premium: 'isPremium',
  os: 'os',
  brand: 'brand',
  country: 'country',
  start_parameter: 'startParameter',
}
