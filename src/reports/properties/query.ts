import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'

/** What is meant: the properties of contexts, and the parameters of the events of a period. */
export interface PropertiesQuery extends Period {
  /** At most so many parameters. */
  readonly limit: number
  /** Every parameter of this share, where other objects know more of them; null for those that most events have. */
  readonly share: Share | null
}
