import { randomBytes, randomUUID } from 'node:crypto'
import type { Owner } from '../../access/access.ts'
import { Failure, Invalid } from '../../base/errors.ts'
import type { SourceRule } from '../../base/sources.ts'
import {
  type CaptureChanges,
  type CaptureSettings,
  completeCapture,
  DEFAULT_CAPTURE,
} from '../../storage/capture-settings.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { emptiestDatabase } from '../../storage/fill.ts'
import { fieldsGiven, type Some } from '../../storage/partial.ts'
import { ACCOUNT_FULL, MAX_APPLICATIONS, NO_HANDLE, NO_OWN_HANDLE, OTHER_OWNER } from './contract.ts'
import { sealPrivateKey } from './key-pair.ts'
import {
  type ApplicationDetails,
  type ApplicationFields,
  bindKey,
  insertApplication,
  patchCapture,
  selectApplications,
  selectByHandle,
  selectCapture,
  selectOwn,
  updateDetails,
  updateDetailsOf,
  updateSources,
} from './sql.ts'

export interface Registering {
  readonly db: BatchDatabase
  readonly env: Env
  readonly now: number
  readonly accountId: string
  /** The key of the request. If it acts for no application yet, it acts for this one from now on. */
  readonly keyHash: string
}

export type OwnApplication = Awaited<ReturnType<typeof selectOwn>>[number]

/** What anyone may know about an application. */
export type PublicApplication = Pick<
  OwnApplication,
  'id' | 'handle' | 'name' | 'link' | 'photoUrl' | 'objects' | 'timeZone' | 'databases'
>

/** An application as its account may see and change it. */
export type AccountApplication = Awaited<ReturnType<typeof selectApplications>>[number]

/** The application of a handle (without its at-sign, in any case); with an owner, only where it is theirs. Throws `not-found`. */
export async function findByHandle(db: Database, handle: string, owner?: Owner): Promise<PublicApplication> {
  const [application] = await selectByHandle(db, handle)
  if (application && (!owner || isOwn(application, owner))) return application
  throw new Failure('not-found', owner ? NO_OWN_HANDLE : NO_HANDLE)
}

/** An owner's application by its handle (without its at-sign, in any case). Throws `not-found`. */
export async function findOwnApplication(db: Database, handle: string, owner: Owner): Promise<OwnApplication> {
  const application = await lookUpOwnApplication(db, handle, owner)
  if (application) return application
  throw new Failure('not-found', NO_OWN_HANDLE)
}

/** An owner's application by its handle, as `findOwnApplication` finds it; null if there is none. */
export async function lookUpOwnApplication(db: Database, handle: string, owner: Owner): Promise<OwnApplication | null> {
  const [application] = await selectOwn(db, { accountId: owner.accountId, handle })
  return application && isOwn(application, owner) ? application : null
}

/** Whether a text names this handle, in any case, with or without an at-sign. */
export function isSameHandle(text: string, handle: string): boolean {
  return text.replace(/^@/, '').toLowerCase() === handle.toLowerCase()
}

export async function listOwnApplications(db: Database, owner: Owner): Promise<AccountApplication[]> {
  const all = await selectApplications(db, owner.accountId)
  return all.filter(({ id }) => owner.applicationId === null || id === owner.applicationId)
}

function isOwn({ id, accountId }: { readonly id: number; readonly accountId: string }, owner: Owner): boolean {
  return accountId === owner.accountId && (owner.applicationId === null || id === owner.applicationId)
}

/** Changes the given fields and returns the whole application. Throws `Invalid` if it would require verified events without a bot to verify them. */
export async function changeDetails<A extends AccountApplication>(
  db: Database,
  application: A,
  changes: Some<ApplicationFields>,
): Promise<A> {
  const given = fieldsGiven(changes)
  const changed = { ...application, ...given }
  if (Object.keys(given).length === 0) return changed
  const isSound = changed.botId !== null || !changed.verifiedOnly
  const [row] = isSound ? await updateDetailsOf(db, application.id, given) : []
  if (row) return changed
  throw new Invalid([{ loc: ['body', given.verifiedOnly ? 'verified_only' : 'bot_id'], ...NEEDS_BOT }])
}

const NEEDS_BOT = { msg: 'Verified events can be required only if bot_id names a bot', type: 'value_error' }

/** An application that was registered, now or before. */
export interface Registered extends PublicApplication {
  readonly projectId: string
  readonly isNew: boolean
}

/**
 * Creates the application of a handle (without its at-sign), or updates its details if the account has it already. Throws `conflict` if
 * another account has it (the first of two simultaneous requests wins), or if the account is full.
 */
export async function register(
  handle: string,
  details: ApplicationDetails,
  registering: Registering,
): Promise<Registered> {
  const { db, accountId, keyHash } = registering
  const [known] = await selectByHandle(db, handle)
  const isNew = !known && (await create(handle, details, registering))
  const [registered] = await selectByHandle(db, handle)
  if (!registered) throw new Failure('conflict', ACCOUNT_FULL)
  if (registered.accountId !== accountId) throw new Failure('conflict', OTHER_OWNER)
  await db.batch([updateDetails(db, handle, details), bindKey(db, { keyHash, handle })])
  return { ...registered, isNew }
}

async function create(
  handle: string,
  details: ApplicationDetails,
  { db, env, now, accountId }: Registering,
): Promise<boolean> {
  const created = await insertApplication(
    db,
    {
      ...details,
      handle,
      accountId,
      projectId: randomUUID(),
      publicKey: '',
      sealedPrivateKey: '',
      sealedErasureKey: sealPrivateKey(randomBytes(32).toString('base64'), env.KEY_SEALING_SECRET),
      capture: DEFAULT_CAPTURE,
      createdAt: now,
      databases: [await emptiestDatabase(env)],
    },
    MAX_APPLICATIONS,
  )
  return created.length > 0
}

/** Replaces the rules by which start parameters are read. Questions use them within `EFFECT_SECONDS`. */
export async function changeSources(db: Database, id: number, sources: readonly SourceRule[]): Promise<void> {
  await updateSources(db, { id, sources })
}

/** What the application's tracking clients capture, read from the database. */
export async function readCaptureSettings(db: Database, applicationId: number): Promise<CaptureSettings> {
  const [row] = await selectCapture(db, applicationId)
  return completeCapture(row?.capture ?? {})
}

/** Changes the given fields and returns all of them. Duplicates in a list are dropped. Clients see the change within `EFFECT_SECONDS`. */
export async function changeCaptureSettings(
  db: Database,
  applicationId: number,
  changes: CaptureChanges,
): Promise<CaptureSettings> {
  const given = Object.entries(fieldsGiven(changes)).map(([field, value]) => [field, withoutDuplicates(value)])
  if (given.length > 0) await patchCapture(db, applicationId, Object.fromEntries(given))
  return readCaptureSettings(db, applicationId)
}

function withoutDuplicates(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value)]
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withoutDuplicates(inner)]))
}
