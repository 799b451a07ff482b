import { userHashOf } from '../collection/erasures.ts'
import { Failure } from '../errors.ts'
import { addJob } from '../jobs/jobs.ts'
import { wakeForJobs } from '../jobs/wake.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { beginErasing, databaseOfPerson, type Person } from './person.ts'
import { firstProgress } from './progress.ts'
import { countOfUser, deleteOldErasures, selectErasure, upsertErasure } from './sql.ts'

export interface Erasing extends Person {
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
  const found = await databaseOfPerson(person, { env, directory })
  if (!found) throw new Failure('not-found', 'The application is gone.')
  const { db, placement } = found
  const [counted] = await countOfUser(db, person)
  const userHash = userHashOf(applicationId, telegramId)
  await upsertErasure(directory, { applicationId, userHash, now, block })
  const used = await beginErasing(db, person, now)
  const progress = { ...firstProgress(telegramId), ...used, stage: 'events' as const, erasedAt: now, placement }
  await addJob(directory, { applicationId, kind: 'erase', progress, now })
  await wakeForJobs(applicationId, env.APPLICATIONS)
  const [row] = await selectErasure(directory, { applicationId, userHash })
  return { events: counted?.events ?? 0, sessions: counted?.sessions ?? 0, blocked: row?.isBlocked ?? false }
}

/** A message waits in the queue for four days at most: what an erasure says of older ones is needed no more. */
const KEEP_MS = 5 * 86_400_000

/** Forgets who was erased long ago; whoever is blocked stays. Returns how many. */
export async function forgetErasures(directory: BatchDatabase, now: number): Promise<number> {
  return (await deleteOldErasures(directory, now - KEEP_MS)).length
}
