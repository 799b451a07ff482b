import { toName } from '../../base/text/text.ts'
import type { Period } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { Share } from '../../columns/selection/share.ts'
import { START_OF_SESSION } from '../engine/event-name.ts'
import type { Direction } from './contract.ts'

/** A question about what users do after an event, or did before it. */
export interface PathsQuery extends Period {
  /** The name of the event; null for paths that begin where sessions do. */
  readonly event: string | null
  readonly direction: Direction
  /** The number of names that paths follow. */
  readonly steps: number
  /** Whether paths ignore page views. */
  readonly excludesPageviews: boolean
  /** Filters for the event itself, or for the first one of a session. */
  readonly filters: readonly Filter[]
  /** Per step: the names to answer about; null for the largest, which only an object with all users knows. */
  readonly targets: Targets | null
}

/** The event of a query at which paths begin; null for the beginning of sessions. */
export function beginningOf(event: string): string | null {
  const name = toName(event)
  return name === START_OF_SESSION ? null : name
}

/** Per step: names. */
export type Targets = readonly (readonly string[])[]

/** A question for how often the names of a share are targets. */
export interface PathTargetsQuery extends PathsQuery {
  readonly share: Share
}
