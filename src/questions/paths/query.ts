import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { Direction } from './contract.ts'

/** What users do next after an event, or did before it. */
export interface PathsQuery extends Period {
  /** Its name. */
  readonly event: string
  readonly direction: Direction
  /** How many names are followed. */
  readonly steps: number
  /** For the event itself. */
  readonly filters: readonly Filter[]
  /** Of each step the names to answer about; null for the largest, which only an object that has all users knows. */
  readonly targets: Targets | null
}

/** Names of each step. */
export type Targets = readonly (readonly string[])[]

/** A question for how often a share of all names is a target. */
export interface PathTargetsQuery extends PathsQuery {
  readonly share: Share
}
