import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'
import type { Filter } from '../filters/filter.ts'

/** What is meant: one page of the names of events of a period that pass filters. */
export interface EventNamesQuery extends Period {
  /** Only names that have this text somewhere in them; all have the empty one. */
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly limit: number
  readonly offset: number
  /** Every name of this share, where other objects know more of them; null for the page itself. */
  readonly share: Share | null
}
