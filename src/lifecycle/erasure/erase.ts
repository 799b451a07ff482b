import { Failure } from '../../base/errors.ts'
import { noteErasure } from '../../collection/erased-users/noting.ts'
import { openDatabase } from '../../storage/database.ts'
import { addJob } from '../jobs/jobs.ts'
import { wakeForJobs } from '../jobs/wake.ts'
import { beginErasing, databaseOfPerson, type ErasedPerson } from './person.ts'
import { firstProgress } from './progress.ts'
import { countOfUser } from './sql.ts'

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
  const found = await databaseOfPerson(person, { env, directory })
  if (!found) throw new Failure('not-found', 'The application is gone.')
  const { db, placement } = found
  const [counted] = await countOfUser(db, person)
  const blocked = await noteErasure(person, { directory, secrets: env.KEY_SEALING_SECRET, now, block })
  const used = await beginErasing(db, person, { erasedAt: now })
  const progress = { ...firstProgress(telegramId), ...used, stage: 'events' as const, erasedAt: now, placement }
  await addJob(directory, { applicationId, kind: 'erase', progress, now })
  await wakeForJobs(applicationId, env.APPLICATIONS)
  return { events: counted?.events ?? 0, sessions: counted?.sessions ?? 0, blocked }
}
