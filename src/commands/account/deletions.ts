import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { BY_COMMAND, noteAct } from '../../access/audit.ts'
import { selectIds } from '../../accounts/applications/sql.ts'
import { deleteAccountRows } from '../../accounts/sql.ts'
import { forgetApplication } from '../../lifecycle/deletion/delete.ts'
import { firstProgress } from '../../lifecycle/erasure/begin.ts'
import { addJob } from '../../lifecycle/jobs/statements.ts'
import { requireAccount } from '../accounts.ts'
import type { TargetDatabases } from '../database.ts'
import { confirm } from '../terminal.ts'
import { findApplication } from './partitionings.ts'

interface Confirmation {
  readonly yes: boolean
  readonly dryRun: boolean
}

interface Person {
  /** Handle or project id. */
  readonly application: string
  readonly telegramId: number
  /** Whether to drop later events, too. */
  readonly block: boolean
}

export async function erasePerson(open: TargetDatabases, person: Person, { yes, dryRun }: Confirmation) {
  const { telegramId, block } = person
  const { id: applicationId, accountId, handle } = await findApplication(open, person.application)
  // Only the job can tell whether a person is blocked already: it has the secret under which they are hashed.
  const blocked = block ? 'yes' : 'as before'
  const answer = { application: handle, telegramId, blocked }
  if (dryRun) return { ...answer, note: 'Nothing was changed.' }
  await confirm({ what: `User ${telegramId} will be erased from @${handle}.`, yes })
  const progress = firstProgress(telegramId, block || undefined)
  await addJob(open(1), { applicationId, kind: 'erase', progress, now: Date.now() })
  await noteAct(open(1), { accountId, actor: BY_COMMAND, action: 'eraseUser', handle }, Date.now())
  return { ...answer, note: 'It begins within five minutes, and takes less than one.' }
}

export async function deleteAccount(db: SqliteRemoteDatabase, accountId: string, { yes, dryRun }: Confirmation) {
  const { name } = await requireAccount(db, accountId)
  const applications = await selectIds(db, accountId)
  const handles = applications.map(({ handle }) => `@${handle}`).join(', ')
  const answer = { accountId, name, applications: handles || 'none' }
  if (dryRun) return { ...answer, note: 'Nothing was changed.' }
  const all = handles ? ` with all of ${handles}` : ''
  await confirm({ what: `The account "${name}" will be deleted${all}, its keys and its members.`, yes })
  const now = Date.now()
  const forgetting = applications.flatMap((application) => forgetApplication(db, application, now))
  const [first, ...rest] = [...forgetting, ...deleteAccountRows(db, accountId)]
  if (first) await db.batch([first, ...rest])
  return {
    ...answer,
    note: `Its keys stop working everywhere within ${EFFECT_SECONDS} seconds. The deletion of events and figures begins within five minutes.`,
  }
}
