import type { Placement } from '../storage/activity.ts'

/**
 * How far the deleting of an application's old events is; nothing of it where the job has not begun.
 *
 * - `columns`: objects drop them from their columns.
 * - `events`: events are deleted in one of the databases.
 * - `sessions`: sessions are, in the same one; then it is the next one's turn.
 */
export interface Progress {
  readonly stage: 'columns' | 'events' | 'sessions'
  /** What the directory said when it began. Where it says something else by now, it begins anew. */
  readonly keptFrom: number
  readonly placement: Placement
  /** Which one of the placement's databases, in their order. */
  readonly database: number
  /** Sessions of users up to this messenger id were looked at. */
  readonly after: number
}
