import type { Share } from '../../selection/share.ts'
import type { Period } from '../../time/period.ts'
import type { Filter } from '../filters/filter.ts'
import type { Direction } from './contract.ts'

/** What is meant: what users do next after an event, or did before it. */
export interface PathsQuery extends Period {
  /** Its name. */
  readonly event: string
  readonly direction: Direction
  /** How many names are followed. */
  readonly steps: number
  /** For the event itself. */
  readonly filters: readonly Filter[]
  /** Of each step the names to tell of; null for the largest, which only an object that has all users can tell. */
  readonly targets: Targets | null
}

/** Names of each step. */
export type Targets = readonly (readonly string[])[]

/** What is meant by a question for how often a share of all names is a target. */
export interface PathTargetsQuery extends PathsQuery {
  readonly share: Share
}
