import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { selectIds, selectNamed } from '../accounts/applications/sql.ts'
import { deleteAccountRows, selectAccount } from '../accounts/sql.ts'
import { forgetApplication } from '../lifecycle/deletion/delete.ts'
import { firstProgress } from '../lifecycle/erasure/erase.ts'
import { addJob } from '../lifecycle/jobs/jobs.ts'
import { requireAccount } from './accounts.ts'
import { confirm } from './confirm.ts'
import { CommandFailure } from './failure.ts'

/** How a permanent deletion is confirmed. */
export interface Going {
  readonly yes: boolean
  readonly dryRun: boolean
}

interface Erasing extends Going {
  /** Handle or project id. */
  readonly application: string
  readonly telegramId: number
  /** Whether later events are not stored either. */
  readonly block: boolean
}

/** Has a person erased from an application, by its object. Throws `CommandFailure`. */
export async function erasePerson(db: SqliteRemoteDatabase, { application: name, ...erasing }: Erasing) {
  const { telegramId, block, yes, dryRun } = erasing
  const [application] = await selectNamed(db, name.replace(/^@/, ''))
  if (!application) throw new CommandFailure(`There is no application ${name}.`)
  const { id: applicationId, handle } = application
  const answer = { application: handle, telegramId, blocked: block }
  if (dryRun) return { ...answer, note: 'Nothing was changed.' }
  await confirm({ what: `User ${telegramId} will be erased from @${handle}.`, yes })
  // The job notes whom it erases: that takes the deployment's secret.
  const progress = firstProgress(telegramId, block || undefined)
  await addJob(db, { applicationId, kind: 'erase', progress, now: Date.now() })
  return { ...answer, note: 'It begins within five minutes, and takes less than one.' }
}

/** Deletes an account with all of its applications. Throws `CommandFailure`. */
export async function deleteAccount(db: SqliteRemoteDatabase, accountId: string, { yes, dryRun }: Going) {
  await requireAccount(db, accountId)
  const [account] = await selectAccount(db, accountId)
  const applications = await selectIds(db, accountId)
  const handles = applications.map(({ handle }) => `@${handle}`)
  const answer = { accountId, name: account?.name ?? '', applications: handles.join(', ') || 'none' }
  if (dryRun) return { ...answer, note: 'Nothing was changed.' }
  const all = handles.length > 0 ? ` with all of ${handles.join(', ')}` : ''
  await confirm({ what: `The account "${answer.name}" will be deleted${all}, its keys and its members.`, yes })
  const now = Date.now()
  const forgetting = applications.flatMap((application) => forgetApplication(db, application, now))
  const [first, ...rest] = [...forgetting, ...deleteAccountRows(db, accountId)]
  if (first) await db.batch([first, ...rest])
  return {
    ...answer,
    note: 'Its keys stop working everywhere within 90 seconds. The deletion of events and figures begins within five minutes.',
  }
}
