import type { Placement } from '../../storage/activity.ts'
import type { EventKey } from '../rows/deleting.ts'

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
export interface ErasureProgress {
  readonly telegramId: number
  /** Of one that has not begun: whether later events are not stored either; without it that stays as it was. */
  readonly block?: boolean | undefined
  readonly stage: 'begin' | 'events' | 'columns' | 'used' | 'hidden' | 'texts'
  /** Milliseconds since 1970 UTC. */
  readonly erasedAt: number
  /** Where the activity was when it began: another database has what this one had. */
  readonly placement: Placement
  /** How often it began anew. */
  readonly round: number
  /** Up to here events were looked at. */
  readonly after: EventKey
  /** Ids of the names and contexts that the person's events had; later of those that nobody else has. */
  readonly names: readonly number[]
  readonly contexts: readonly number[]
}

/** Before all events. */
export const START: EventKey = [0, 0, 0, 0]

/** Of a job that has not begun. */
export function firstProgress(telegramId: number, block?: boolean): ErasureProgress {
  const nothing = { erasedAt: 0, placement: [], round: 0, after: START, names: [], contexts: [] }
  return { telegramId, block, stage: 'begin', ...nothing }
}
