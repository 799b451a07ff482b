import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'
import type { Filter, Property } from '../filters/filter.ts'

/** What is meant: the values that a property has on the events of a period that pass filters. */
export interface PropertyValuesQuery extends Period {
  readonly property: Property
  /** Only values that have this text somewhere in them; all have the empty one. */
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly limit: number
  /** Every value of this share, where other objects know more of them; null for those with most events. */
  readonly share: Share | null
}
