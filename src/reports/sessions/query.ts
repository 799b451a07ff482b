import type { Period } from '../../time/period.ts'
import type { Filter } from '../filters/filter.ts'

/** What is meant: the sessions that begin in a period. */
export interface SessionsQuery extends Period {
  /** For the first event of each session. */
  readonly filters: readonly Filter[]
}

/** What is meant: the same, and those that begin in the period before. */
export interface SessionAveragesQuery extends SessionsQuery {
  readonly before: Period
}
