import { randomUUID } from 'node:crypto'
import { DEFAULT_CAPTURE } from '../client-config/capture-settings.ts'
import { Failure } from '../errors.ts'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { compareTexts } from '../text/order.ts'
import { NO_HANDLE, NO_OWN_HANDLE, OTHER_OWNER } from './contract.ts'
import { generateKeyPair, sealPrivateKey } from './key-pair.ts'
import { bindKey, insertApplication, selectApplications, selectByHandle, selectOwn, updateDetails } from './sql.ts'

export interface Details {
  readonly name: string
  readonly link: string
  readonly description: string
  readonly photoUrl: string
}

export interface Registering {
  readonly db: BatchDatabase
  readonly now: number
  readonly accountId: string
  /** The key that asks; it acts for this application from now on if it acted for none. */
  readonly keyHash: string
  readonly sealingSecrets: string
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

/**
 * The application of a handle (without its at-sign, in any case); with an account, only where it is that account's own.
 * Throws `not-found`.
 */
export async function findByHandle(db: Database, handle: string, accountId?: string): Promise<PublicApplication> {
  const [application] = await selectByHandle(db, handle)
  if (application && (accountId === undefined || application.accountId === accountId)) return application
  throw new Failure('not-found', accountId ? NO_OWN_HANDLE : NO_HANDLE)
}

/**
 * Creates the application of a handle (without its at-sign), or updates its details where the account has it already.
 * Throws `conflict` where another account has it; whoever comes first of two at the same time wins.
 */
export async function register(handle: string, details: Details, registering: Registering): Promise<void> {
  const { db, accountId, keyHash } = registering
  if (!(await findOwner(db, handle))) await create(handle, details, registering)
  if ((await findOwner(db, handle)) !== accountId) {
    throw new Failure('conflict', OTHER_OWNER)
  }
  await db.batch([updateDetails(db, handle, details), bindKey(db, { keyHash, handle })])
}

async function findOwner(db: BatchDatabase, handle: string): Promise<string | undefined> {
  const [owner] = await selectByHandle(db, handle)
  return owner?.accountId
}

async function create(
  handle: string,
  details: Details,
  { db, now, accountId, sealingSecrets }: Registering,
): Promise<void> {
  const { publicKey, privateKey } = generateKeyPair()
  await insertApplication(db, {
    ...details,
    handle,
    accountId,
    projectId: randomUUID(),
    publicKey,
    sealedPrivateKey: sealPrivateKey(privateKey, sealingSecrets),
    capture: DEFAULT_CAPTURE,
    createdAt: now,
  })
}

/** An application as its account knows it. */
export type OwnApplication = Awaited<ReturnType<typeof selectOwn>>[number]

interface Owner {
  readonly accountId: string
  /** Of the only application that may be seen; null where all may. */
  readonly applicationId: number | null
}

/** An account's application by its handle (without its at-sign, in any case). Throws `not-found`. */
export async function findOwnApplication(db: Database, handle: string, owner: Owner): Promise<OwnApplication> {
  const { accountId, applicationId } = owner
  const [application] = await selectOwn(db, { accountId, handle })
  if (application && (applicationId === null || application.id === applicationId)) return application
  throw new Failure('not-found', NO_OWN_HANDLE)
}

/** The applications of an account that may be seen, by handle. */
export async function listOwnApplications(db: Database, { accountId, applicationId }: Owner) {
  const all = await selectApplications(db, accountId)
  return all
    .filter(({ id }) => applicationId === null || id === applicationId)
    .toSorted((a, b) => compareTexts(a.handle.toLowerCase(), b.handle.toLowerCase()))
}
