import type { Placement } from '../storage/activity.ts'
import type { Place } from './sql.ts'

/**
 * How far the erasing of a person is.
 *
 * - `begin`: nothing is done yet.
 * - `events`: events are looked for, in order.
 * - `columns`: objects read what changed, and forget the messenger id.
 * - `used`: of the contexts that the person's events had, those are found that others have.
 * - `hidden`: the same once more for the rest, which no delivery can find any more.
 * - `texts`: objects forget texts that nobody else said.
 */
export interface Progress {
  readonly telegramId: number
  readonly stage: 'begin' | 'events' | 'columns' | 'used' | 'hidden' | 'texts'
  /** Milliseconds since 1970 UTC. */
  readonly erasedAt: number
  /** Where the activity was when it began: another database has what this one had. */
  readonly placement: Placement
  /** How often it began anew. */
  readonly round: number
  /** Up to here events were looked at. */
  readonly after: Place
  /** Ids of the names and contexts that the person's events had; later of those that nobody else has. */
  readonly names: readonly number[]
  readonly contexts: readonly number[]
}

/** Before all events. */
export const START: Place = [0, 0, 0, 0]

/** Of a job that has not begun. */
export function firstProgress(telegramId: number): Progress {
  const nothing = { erasedAt: 0, placement: [], round: 0, after: START, names: [], contexts: [] }
  return { telegramId, stage: 'begin', ...nothing }
}
