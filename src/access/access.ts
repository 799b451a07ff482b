import { Failure } from '../base/errors.ts'
import { type Calendar, calendarOf } from '../base/time/calendar.ts'
import type { Database } from '../storage/database.ts'
import type { Snapshots } from '../storage/snapshots.ts'
import type { CollectingScope, Scope } from './api-keys.ts'
import {
  CLIENT_KEY,
  FOREIGN_PROJECT,
  NO_APPLICATION,
  OTHER_PLAN,
  READ_KEY,
  UNKNOWN_KEY,
  UNNAMED_APPLICATION,
} from './refusals.ts'
import { type ApplicationAccess, selectAccess, selectKeyHashes } from './sql.ts'

export type { ApplicationAccess }

/** What a valid key opens: an account, and the application it acts for if there is one yet. */
export interface Access {
  readonly accountId: string
  readonly plan: 'standard' | 'enterprise'
  readonly scope: Scope
  readonly keyHash: string
  /** Milliseconds since 1970 UTC. Missing for a page, and in copies cached by release a465e32. */
  readonly keyIssuedAt?: number
  /** Whether assistants may see individual users with it. Missing for a page, and in copies cached by release 4982b2f. */
  readonly persons?: boolean
  readonly application: ApplicationAccess | null
  /** The id of the only application that the key opens; null: all of the account. */
  readonly onlyApplicationId: number | null
}

/** The areas of the service that scopes open: operations that change an account, questions, and what tracking clients need. */
export type Area = 'full' | 'questions' | 'client'

export const OPENED_BY: Readonly<Record<Scope, readonly Area[]>> = {
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
  /** The negative cache: keys, and keys with a project, that open nothing. */
  readonly unknownKeys: { has(name: string): boolean; add(name: string): void }
}

/** The application that a request is about. Throws `not-found` where the account has none yet. */
export function applicationOf(access: Access): ApplicationAccess {
  if (access.application) return access.application
  throw new Failure('not-found', access.scope === 'full' ? NO_APPLICATION : UNNAMED_APPLICATION)
}

/** The days of the application that a request is about; UTC if there is none yet, and in copies cached by release b6f7208. */
export function calendarOfCaller({ application }: Pick<Access, 'application'>): Calendar {
  return calendarOf(application?.timeZone)
}

/** Whom fair queueing counts a question for: a key, or an account on the pages. */
export function callerOf({ keyHash, accountId }: Access): string {
  return keyHash || accountId
}

/** Whose applications a request may be about. */
export interface Owner {
  readonly accountId: string
  /** The id of the only application that may be seen; null: all of the account. */
  readonly applicationId: number | null
}

export function ownerOf({ accountId, onlyApplicationId }: Access): Owner {
  return { accountId, applicationId: onlyApplicationId }
}

/** Throws `forbidden` for keys whose scope does not open this area. */
export function requireArea({ scope }: Access, area: Area): void {
  if (scope !== 'full' && !OPENED_BY[scope].includes(area)) throw new Failure('forbidden', REFUSALS[scope])
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

export function cacheKeyOf({ keyHash, projectId }: Credentials): string {
  return `${keyHash}:${projectId ?? ''}`
}

/** The most keys whose copies are deleted from KV: each takes a call, and the calls of a request are limited. */
const MOST_KEYS = 20

/** The names of copies of what an account's keys open by themselves and with each of these projects. */
export async function cacheKeysOf(db: Database, accountId: string, projectIds: readonly string[]): Promise<string[]> {
  const keys = await selectKeyHashes(db, accountId, MOST_KEYS)
  return keys.flatMap(({ hash: keyHash }) =>
    [null, ...projectIds].map((projectId) => cacheKeyOf({ keyHash, projectId })),
  )
}

/** Finds what a key opens. Throws `key-unknown`, for revoked keys as well, and `forbidden` for another account's project. */
export async function findAccess({ keyHash, projectId }: Credentials, lookup: Lookup): Promise<Access> {
  const isMalformed = projectId !== null && !PROJECT_ID.test(projectId)
  const access = await lookUp({ keyHash, projectId: isMalformed ? null : projectId }, lookup)
  if (!access) throw unknownKey()
  if (isMalformed || (projectId !== null && !access.application)) throw foreignProject()
  return access
}

/** Anything else is neither looked up nor remembered. */
const PROJECT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function unknownKey(): Failure {
  return new Failure('key-unknown', UNKNOWN_KEY)
}

function foreignProject(): Failure {
  return new Failure('forbidden', FOREIGN_PROJECT)
}

/** Looks up a key and a project. A made-up key costs one database query, and so does a made-up project with a good key. */
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
