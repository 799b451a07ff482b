import type { Filter } from '../filters/filter.ts'

/** What is meant: the newest events of an application. */
export interface LatestEventsQuery {
  /** Null for any event. */
  readonly event: string | null
  readonly filters: readonly Filter[]
  readonly limit: number
}
