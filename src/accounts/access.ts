import type { Owner } from '../applications/applications.ts'
import { Failure } from '../errors.ts'
import { DEFAULT_INIT_DATA_HOURS } from '../init-data/init-data.ts'
import type { Snapshots } from '../storage/cache.ts'
import type { Database } from '../storage/database.ts'
import type { CollectingScope, Scope } from './api-keys.ts'
import {
  CLIENT_KEY,
  FOREIGN_PROJECT,
  NO_APPLICATION,
  OTHER_PLAN,
  READ_KEY,
  UNKNOWN_KEY,
  UNNAMED_APPLICATION,
} from './contract.ts'
import { type ApplicationAccess, selectAccess } from './sql.ts'

export type { ApplicationAccess }

/** What a valid key opens: an account, and the application it acts for if there is one yet. */
export interface Access {
  readonly accountId: string
  readonly plan: 'standard' | 'enterprise'
  readonly scope: Scope
  readonly keyHash: string
  readonly application: ApplicationAccess | null
  /** Where it opens this one of the account's applications only. An access that was kept by an older release says nothing of it. */
  readonly onlyApplicationId?: number | null
}

/** What keys of a scope may be let into: what changes an account, what asks, and what tracking clients need. */
export type Part = 'full' | 'questions' | 'client'

export const OPENED_BY: Readonly<Record<Scope, readonly Part[]>> = {
  full: ['full', 'questions', 'client'],
  read: ['questions'],
  client: ['client'],
}

const REFUSALS: Readonly<Record<Exclude<Scope, 'full'>, string>> = { read: READ_KEY, client: CLIENT_KEY }

export interface Credentials {
  readonly keyHash: string
  /** The project id that the request names; it overrides the key's own application within the same account. */
  readonly projectId: string | null
}

interface Lookup {
  readonly db: Database
  readonly snapshots: Snapshots<Access>
  /** The negative cache: keys, and keys with a project, that were found to open nothing. */
  readonly unknownKeys: { has(name: string): boolean; add(name: string): void }
}

/** What an access does not say that an older release kept. */
const EARLIER = { objects: 1, botId: null, initDataHours: DEFAULT_INIT_DATA_HOURS, verifiedOnly: false }

/** The application that a request is about. Throws `not-found` where the account has none yet. */
export function applicationOf(access: Access): ApplicationAccess {
  if (access.application) return { ...EARLIER, ...access.application }
  throw new Failure('not-found', access.scope === 'full' ? NO_APPLICATION : UNNAMED_APPLICATION)
}

/** Whose applications a request may be about. */
export function ownerOf({ accountId, onlyApplicationId = null }: Access): Owner {
  return { accountId, applicationId: onlyApplicationId }
}

/** Throws `forbidden` for keys whose scope does not open this. */
export function requirePart({ scope }: Access, part: Part): void {
  if (scope !== 'full' && !OPENED_BY[scope].includes(part)) throw new Failure('forbidden', REFUSALS[scope])
}

/** The scope of a key that collects. Throws `forbidden` for others. */
export function collectingScopeOf({ scope }: Access): CollectingScope {
  if (scope !== 'read') return scope
  throw new Failure('forbidden', READ_KEY)
}

/** Throws `forbidden` for accounts of another plan. */
export function requireEnterprise({ plan }: Access): void {
  if (plan !== 'enterprise') throw new Failure('forbidden', OTHER_PLAN)
}

/** The key of the cache that an access is kept under. */
export function cacheKeyOf({ keyHash, projectId }: Credentials): string {
  return `${keyHash}:${projectId ?? ''}`
}

/** Finds what a key opens. Throws `key-unknown` (also for revoked keys) and `forbidden` (another account's project). */
export async function findAccess({ keyHash, projectId }: Credentials, lookup: Lookup): Promise<Access> {
  const isNone = projectId !== null && !PROJECT_ID.test(projectId)
  const access = await lookUp({ keyHash, projectId: isNone ? null : projectId }, lookup)
  if (!access) throw unknownKey()
  if (isNone || (projectId !== null && !access.application)) throw foreignProject()
  return access
}

/** What cannot be a project id is not looked up, nor remembered. */
const PROJECT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function unknownKey(): Failure {
  return new Failure('key-unknown', UNKNOWN_KEY)
}

function foreignProject(): Failure {
  return new Failure('forbidden', FOREIGN_PROJECT)
}

/** A made-up key costs one look into the database, and so does a made-up project with a good key. */
async function lookUp(credentials: Credentials, { db, snapshots, unknownKeys }: Lookup): Promise<Access | null> {
  const { keyHash, projectId } = credentials
  const name = cacheKeyOf(credentials)
  if (unknownKeys.has(keyHash)) return null
  if (unknownKeys.has(name)) throw foreignProject()
  return snapshots.get(name, async () => {
    const access = await loadAccess(db, keyHash, projectId)
    if (!access) unknownKeys.add(keyHash)
    else if (projectId !== null && !access.application) unknownKeys.add(name)
    return access
  })
}

async function loadAccess(db: Database, keyHash: string, projectId: string | null): Promise<Access | null> {
  const [row] = await selectAccess(db, { keyHash, projectId })
  if (!row) return null
  const { issuedFor, ...access } = row
  return { ...access, keyHash, onlyApplicationId: access.scope === 'full' ? null : issuedFor }
}
