import { randomUUID } from 'node:crypto'
import { DEFAULT_CAPTURE } from '../client-config/capture-settings.ts'
import { Failure, Invalid } from '../errors.ts'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { fieldsGiven, type Some } from '../storage/partial.ts'
import { NO_HANDLE, NO_OWN_HANDLE, OTHER_OWNER } from './contract.ts'
import { emptiestDatabase } from './emptiest.ts'
import { generateKeyPair, sealPrivateKey } from './key-pair.ts'
import {
  bindKey,
  insertApplication,
  selectApplications,
  selectByHandle,
  selectOwn,
  updateDetails,
  updateDetailsOf,
} from './sql.ts'

export interface Details {
  readonly name: string
  readonly link: string
  readonly description: string
  readonly photoUrl: string
}

/** What an application believes of its mini-app's users, and how long it keeps what they did. */
export interface Settings {
  /** The bot that the messenger signs init data for; null: init data is not checked. */
  readonly botId: number | null
  /** How old init data may be where it is checked. */
  readonly initDataHours: number
  /** Whether client keys may only bring events with init data that was checked. Needs a bot. */
  readonly verifiedOnly: boolean
  /** For how many months events are kept; null: for ever. */
  readonly keepMonths: number | null
}

export interface Registering {
  readonly db: BatchDatabase
  readonly env: Env
  readonly now: number
  readonly accountId: string
  /** The key that asks; it acts for this application from now on if it acted for none. */
  readonly keyHash: string
}

/** What may be known of an application without its key. */
export interface PublicApplication {
  readonly id: number
  readonly handle: string
  readonly name: string
  readonly link: string
  /** Over how many objects its users are spread. */
  readonly objects: number
}

/** An application as its account may see and change it. */
export interface AccountApplication extends Details, Settings {
  readonly id: number
  readonly handle: string
  readonly projectId: string
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number
  /** Events of earlier days are gone, or going; null: none are. In days since 1970 UTC. */
  readonly keptFrom: number | null
}

/** The same, with all that is kept of it. */
export type OwnApplication = Awaited<ReturnType<typeof selectOwn>>[number]

/** Whose applications are meant. */
export interface Owner {
  readonly accountId: string
  /** Of the only application that may be seen; null where all of the account may. */
  readonly applicationId: number | null
}

/**
 * The application of a handle (without its at-sign, in any case); with an owner, only where it is theirs. Throws `not-found`.
 */
export async function findByHandle(db: Database, handle: string, owner?: Owner): Promise<PublicApplication> {
  const [application] = await selectByHandle(db, handle)
  if (application && (!owner || isOwn(application, owner))) return application
  throw new Failure('not-found', owner ? NO_OWN_HANDLE : NO_HANDLE)
}

/** An owner's application by its handle (without its at-sign, in any case). Throws `not-found`. */
export async function findOwnApplication(db: Database, handle: string, owner: Owner): Promise<OwnApplication> {
  const [application] = await selectOwn(db, { accountId: owner.accountId, handle })
  if (application && isOwn(application, owner)) return application
  throw new Failure('not-found', NO_OWN_HANDLE)
}

/** Whether somebody means this handle: in any case, with or without its at-sign. */
export function isSameHandle(text: string, handle: string): boolean {
  return text.replace(/^@/, '').toLowerCase() === handle.toLowerCase()
}

/** An owner's applications, by handle. */
export async function listOwnApplications(db: Database, owner: Owner): Promise<AccountApplication[]> {
  const all = await selectApplications(db, owner.accountId)
  return all.filter(({ id }) => owner.applicationId === null || id === owner.applicationId)
}

function isOwn({ id, accountId }: { readonly id: number; readonly accountId: string }, owner: Owner): boolean {
  return accountId === owner.accountId && (owner.applicationId === null || id === owner.applicationId)
}

/**
 * Changes what is given and leaves the rest; returns all of it. The application is one that was found for its account. Throws
 * `Invalid` where only verified events would be taken and no bot is named to verify them for.
 */
export async function changeDetails<A extends AccountApplication>(
  db: Database,
  application: A,
  changes: Some<Details & Settings>,
): Promise<A> {
  const given = fieldsGiven(changes)
  const changed = { ...application, ...given }
  if (Object.keys(given).length === 0) return changed
  const isSound = changed.botId !== null || !changed.verifiedOnly
  const [row] = isSound ? await updateDetailsOf(db, application.id, given) : []
  if (row) return changed
  throw new Invalid([{ loc: ['body', given.verifiedOnly ? 'verified_only' : 'bot_id'], ...NEEDS_BOT }])
}

const NEEDS_BOT = { msg: 'Only verified events can be asked for where bot_id names a bot', type: 'value_error' }

/**
 * Creates the application of a handle (without its at-sign), or updates its details where the account has it already.
 * Returns its project id. Throws `conflict` where another account has it; whoever comes first of two at the same time wins.
 */
export async function register(handle: string, details: Details, registering: Registering): Promise<string> {
  const { db, accountId, keyHash } = registering
  const [known] = await selectByHandle(db, handle)
  if (!known) await create(handle, details, registering)
  const [registered] = await selectByHandle(db, handle)
  if (registered?.accountId !== accountId) throw new Failure('conflict', OTHER_OWNER)
  await db.batch([updateDetails(db, handle, details), bindKey(db, { keyHash, handle })])
  return registered.projectId
}

async function create(handle: string, details: Details, { db, env, now, accountId }: Registering): Promise<void> {
  const { publicKey, privateKey } = generateKeyPair()
  await insertApplication(db, {
    ...details,
    handle,
    accountId,
    projectId: randomUUID(),
    publicKey,
    sealedPrivateKey: sealPrivateKey(privateKey, env.KEY_SEALING_SECRET),
    capture: DEFAULT_CAPTURE,
    createdAt: now,
    databases: [await emptiestDatabase(env)],
  })
}
