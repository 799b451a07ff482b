import type { Placement } from '../../storage/activity.ts'
import type { BatchDatabase } from '../../storage/database.ts'

export type JobKind = 'erase' | 'delete' | 'move' | 'retain'

/** Long work on an application's activity, as it stands in the directory. */
export interface Job {
  readonly id: number
  readonly applicationId: number
  readonly kind: JobKind
  /** What is to be done, and how far it is: whatever the kind's `Work` wrote last. */
  readonly progress: unknown
}

/** What a step may use. */
export interface Working {
  readonly env: Env
  /** The directory. */
  readonly db: BatchDatabase
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
}

/**
 * Does one step of a job: at most 5,000 rows written, or about 50 ms of the database. Returns the progress from which the next
 * one goes on, or `done`. A step may be done twice, if its progress was not written: the second time must change nothing.
 */
export type Work = (job: Job, working: Working) => Promise<object | 'done'>

/**
 * Whether an application is where the progress of its job says. Otherwise it was moved meanwhile, and what the job has done it did to
 * other rows than there are now: it begins anew, or gives up.
 */
export function isSamePlacement(known: Placement | undefined, placement: Placement): boolean {
  return String(known) === String(placement)
}
