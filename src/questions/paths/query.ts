import { toName } from '../../base/text/text.ts'
import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import { START_OF_SESSION } from '../engine/event-name.ts'
import type { Direction } from './contract.ts'

/** What users do next after an event, or did before it. */
export interface PathsQuery extends Period {
  /** Its name; null for paths that begin where sessions do. */
  readonly event: string | null
  readonly direction: Direction
  /** How many names are followed. */
  readonly steps: number
  /** Whether paths go past page views as if they were not there. */
  readonly excludesPageviews: boolean
  /** For the event itself, or the first one of a session. */
  readonly filters: readonly Filter[]
  /** Of each step the names to answer about; null for the largest, which only an object that has all users knows. */
  readonly targets: Targets | null
}

/** Where paths begin, as a query has it. */
export function beginningOf(event: string): string | null {
  const name = toName(event)
  return name === START_OF_SESSION ? null : name
}

/** Names of each step. */
export type Targets = readonly (readonly string[])[]

/** A question for how often a share of all names is a target. */
export interface PathTargetsQuery extends PathsQuery {
  readonly share: Share
}
