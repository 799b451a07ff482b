import { findKeeping } from '../../accounts/applications/placement.ts'
import { Failure } from '../../base/errors.ts'
import { noteErasure } from '../../collection/erased-users/noting.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { bindingOf, databaseOf, type Placement } from '../../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { wakeForJobs } from '../jobs/jobs.ts'
import { addJob, type EventKey } from '../jobs/statements.ts'
import {
  countOfUser,
  deleteSessions,
  deleteUser,
  type ErasedPerson,
  eraseEvents,
  eventsAfter,
  selectUsedBy,
} from './sql.ts'

export interface Erasing extends ErasedPerson {
  /** Whether later events are not stored either; undefined: as it was. */
  readonly block: boolean | undefined
}

/** What is erased, as far as is known, and whether the person is blocked now. */
export interface Erased {
  readonly events: number
  readonly sessions: number
  readonly blocked: boolean
}

/**
 * Begins to erase a person from an application. What is known of them and what happened of late is gone at once, the rest is a
 * job. What was sent of them until now and is still under way is not stored. Throws `not-found` if the application is gone.
 */
export async function erase({ block, ...person }: Erasing, { env, now }: { env: Env; now: number }): Promise<Erased> {
  const directory = openDatabase(env.DB, 'question')
  const { applicationId, telegramId } = person
  const application = await findKeeping(directory, applicationId)
  if (!application) throw new Failure('not-found', 'The application is gone.')
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
 * How far the erasing of a person is.
 *
 * - `begin`: nothing is done yet.
 * - `events`: events are looked for, in order.
 * - `columns`: objects read what changed, and forget the messenger id.
 * - `used`: of the contexts that the person's events had, those are found that others have.
 * - `hidden`: the same once more for the rest, which no delivery can find any more.
 * - `texts`: objects forget texts that nobody else said.
 */
export interface ErasureProgress extends Used {
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
}

/** Ids of the names and contexts that the person's events had; later of those that nobody else has. */
export interface Used {
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

/** Clocks of clients differ by so much, as a rule. */
const CLOCKS_DIFFER_MS = 10 * 60_000

/** Up to here a job looks for events; what happened later is erased when it begins. */
export function cutoffOf(erasedAt: number): number {
  return erasedAt - CLOCKS_DIFFER_MS
}

/**
 * Takes away what is known of a person and what happened lately, and raises the fence, all at once: whatever is stored of them
 * afterwards was sent afterwards, and all of it stays but for what happened before the cutoff. A job gives a batch that it holds:
 * where another run of it was quicker, the person may be back. Returns the names and contexts that the events had.
 */
export async function beginErasing(
  db: BatchDatabase,
  person: ErasedPerson,
  erasedAt: number,
  batch: BatchDatabase['batch'] = (statements) => db.batch(statements),
): Promise<Used> {
  const rows = eventsAfter(person, cutoffOf(erasedAt))
  const [used] = await batch([
    selectUsedBy(db, rows),
    raiseFence(db, person.applicationId),
    ...eraseEvents(db, person, rows, erasedAt),
    deleteUser(db, person),
    deleteSessions(db, person),
  ])
  const [names, contexts] = [used.map(({ nameId }) => nameId), used.map(({ contextId }) => contextId)]
  return { names: [...new Set(names)], contexts: [...new Set(contexts)] }
}
