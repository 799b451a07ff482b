import { findKeeping } from '../../accounts/applications/placement.ts'
import { Failure } from '../../base/errors.ts'
import { noteErasure } from '../../collection/erased-users/noting.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { bindingOf, databaseOf, type Placement } from '../../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { wakeForJobs } from '../jobs/jobs.ts'
import { addJob, type EventKey } from '../jobs/statements.ts'
import type { ScanProgress } from '../start-parameters/replacing.ts'
import {
  countOfUser,
  deleteSessions,
  deleteUser,
  type ErasedPerson,
  eraseEvents,
  eventsAfter,
  selectRememberedOf,
  selectUsedBy,
} from './sql.ts'

export interface Erasing extends ErasedPerson {
  /** Whether later events are not stored either; undefined: unchanged. */
  readonly block: boolean | undefined
}

/** What is erased, as far as is known yet, and whether the person is blocked now. */
export interface Erased {
  readonly events: number
  readonly sessions: number
  readonly blocked: boolean
}

/**
 * Begins to erase a person from an application. Their properties and latest events are deleted now, the rest by a job. Their events
 * that are still in the queue are not stored. Throws `not-found` if the application is gone.
 */
export async function erase({ block, ...person }: Erasing, { env, now }: { env: Env; now: number }): Promise<Erased> {
  const directory = openDatabase(env.DB, 'question')
  const { applicationId, telegramId } = person
  const application = await findKeeping(directory, applicationId)
  if (!application) throw new Failure('not-found', 'The application was deleted.')
  const { placement } = application
  const db = openDatabase(bindingOf(env, databaseOf(placement, telegramId)))
  const [counted] = await countOfUser(db, person)
  const blocked = await noteErasure(person, { directory, secrets: env.KEY_SEALING_SECRET, now, block })
  const used = await beginErasing(db, person, now)
  const progress = { ...firstProgress(telegramId), ...used, stage: 'events' as const, erasedAt: now, placement }
  await addJob(directory, { applicationId, kind: 'erase', progress, now })
  await wakeForJobs(applicationId, env.APPLICATIONS)
  return { events: counted?.events ?? 0, sessions: counted?.sessions ?? 0, blocked }
}

/**
 * The progress of an erasure.
 *
 * - `begin`: nothing is done yet.
 * - `events`: finds and deletes events, in their order.
 * - `referrers`: replaces the id in start parameters of others.
 * - `columns`: objects read the changes, and forget the messenger id.
 * - `used`: finds the contexts of the person's events that others share.
 * - `hidden`: repeats that for the rest, which no delivery can find any more.
 * - `texts`: objects forget the texts that only this person had, and replace the id in start parameters of others.
 */
export interface ErasureProgress extends Used {
  readonly telegramId: number
  /** Until it begins: whether later events are not stored either; undefined: unchanged. */
  readonly block?: boolean | undefined
  readonly stage: 'begin' | 'events' | 'referrers' | 'columns' | 'used' | 'hidden' | 'texts'
  readonly erasedAt: number
  /** Where the activity was when it began. If the application moves, the erasure starts over. */
  readonly placement: Placement
  /** How often it started over. */
  readonly round: number
  /** Events up to this key are done. */
  readonly after: EventKey
  /** Start parameters up to here are done. Missing in jobs of earlier releases. */
  readonly scan?: ScanProgress
}

/** Ids of the names and contexts of the person's events; in later steps, of those that nobody else has. */
export interface Used {
  readonly names: readonly number[]
  readonly contexts: readonly number[]
}

/** Before all events. */
export const START: EventKey = [0, 0, 0, 0]

/** The progress of a job that has not begun. */
export function firstProgress(telegramId: number, block?: boolean): ErasureProgress {
  const nothing = { erasedAt: 0, placement: [], round: 0, after: START, names: [], contexts: [] }
  return { telegramId, block, stage: 'begin', ...nothing }
}

/** Clocks of clients usually differ by less. */
const CLOCKS_DIFFER_MS = 10 * 60_000

/** The job looks for events up to this time; later ones are erased when it begins. */
export function cutoffOf(erasedAt: number): number {
  return erasedAt - CLOCKS_DIFFER_MS
}

/**
 * Deletes a person's properties and latest events, and raises the fence, in one batch: whatever is stored of them afterwards was sent
 * afterwards, and stays unless it happened before the cutoff. A job passes its fenced batch: if another run was quicker, the person may
 * be back. Returns the names and contexts of the deleted events.
 */
export async function beginErasing(
  db: BatchDatabase,
  person: ErasedPerson,
  erasedAt: number,
  batch: BatchDatabase['batch'] = (statements) => db.batch(statements),
): Promise<Used> {
  const rows = eventsAfter(person, cutoffOf(erasedAt))
  const [used, remembered] = await batch([
    selectUsedBy(db, rows),
    selectRememberedOf(db, person),
    raiseFence(db, person.applicationId),
    ...eraseEvents(db, person, rows, erasedAt),
    deleteUser(db, person),
    deleteSessions(db, person),
  ])
  const names = used.map(({ nameId }) => nameId)
  const contexts = [
    ...used.map(({ contextId }) => contextId),
    ...remembered.flatMap(({ firstContextId, startContextId }) => [firstContextId, startContextId]),
  ].filter((id) => id !== null)
  return { names: [...new Set(names)], contexts: [...new Set(contexts)] }
}
