import type { Context } from 'hono'
import {
  type Access,
  type Area,
  type Credentials,
  cacheKeyOf,
  cacheKeysOf,
  findAccess,
  requireArea,
  unknownKey,
} from '../../access/access.ts'
import { COPY_SECONDS, isKey } from '../../access/api-keys.ts'
import { isUseDue, noteDueUse } from '../../access/last-use.ts'
import { hashSecret } from '../../access/secrets.ts'
import { Failure } from '../../base/errors.ts'
import { EntryCache } from '../../storage/memory.ts'
import { SnapshotStore } from '../../storage/snapshots.ts'
import type { AppEnv, RequestContext } from '../context.ts'
import type { Network } from '../limits.ts'
import { rememberTexts } from '../warm-path.ts'
import { type BudgetName, limitKey, limitNetwork, limitUnknownKeys, networkOf, requireKnownKeys } from './budgets.ts'

/** What an operation requires of the key. */
export interface KeyNeeds {
  /** The header that carries the key; `authorization` takes it bare and as `Bearer <key>`. */
  readonly header: 'x-api-key' | 'authorization' | 'tga-auth-token'
  /** The area of the service that its scope must open. */
  readonly scope: Area
  /** The budget that a request is charged to; `questions` by default. */
  readonly budget?: BudgetName
}

/**
 * A changed registration or a revoked key takes effect everywhere within `EFFECT_SECONDS`. An account's first registration must take
 * effect immediately, so an access without an application is never cached; see also `changingApplications`.
 */
const accesses = new SnapshotStore<Access>({
  prefix: 'access:',
  keep: (access) => access.application !== null,
  groupOf: ({ accountId }) => accountId,
  renewAfterSeconds: 30,
  expireAfterSeconds: COPY_SECONDS,
  memoryEntries: 5_000,
})

/**
 * Registers an application of the caller's account, or deletes those of these projects. Afterwards this isolate looks up again what the
 * account's keys open, and a new isolate finds no copies in KV; copies in the memory of others expire.
 */
export async function changeApplications<T>(
  { db, env, access: { accountId }, now, elapsed }: RequestContext,
  projectIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  // Read first: keys may be deleted with their application.
  const keys = await cacheKeysOf(db, accountId, projectIds)
  try {
    return await change()
  } finally {
    await accesses.discard({ group: accountId, keys, kv: env.CACHE, now: now + elapsed() })
  }
}

/** A key that was tried before it was issued works after this time. */
const UNKNOWN_KEY_MS = 10_000

/**
 * The negative cache: when each key, or key with a project, was found to open nothing. In memory only: KV is paid by the write,
 * so a flood of made-up keys would be a flood of paid writes.
 */
const unknownAt = new EntryCache<number>(10_000)

/** Checks the key of a request and sets what it opens as `access`. Throws `key-missing`, `key-unknown`, `forbidden` or `too-many`. */
export function withApiKey(c: Context<AppEnv>, { budget = 'questions', ...needs }: KeyNeeds): Promise<void> {
  return checkKey(c, needs, budget)
}

/** Checks the key of a request that asks further ones of ours, which are charged to a budget in its place. */
export function withUnchargedKey(c: Context<AppEnv>, needs: Omit<KeyNeeds, 'budget'>): Promise<void> {
  return checkKey(c, needs, null)
}

async function checkKey(
  c: Context<AppEnv>,
  { header, scope }: Omit<KeyNeeds, 'budget'>,
  budget: BudgetName | null,
): Promise<void> {
  const value = c.req.raw.headers.get(header)
  if (!value) throw new Failure('key-missing', `Send an API key in the header ${header}.`)
  const network = networkOf(c)
  if (budget !== null) limitNetwork(c, budget, network)
  const credentials = { keyHash: KEY_HASHES[header](value), projectId: readProject(c) }
  const now = c.get('now')
  // A fresh copy in memory skips the asynchronous look-up, which took a fifth of the time of a warm response.
  const access = accesses.recall(cacheKeyOf(credentials), now) ?? (await lookUp(c, credentials, network))
  c.set('access', access)
  if (budget !== null) limitKey(c, budget, access.keyHash)
  requireArea(access, scope)
  const { keyHash } = access
  if (isUseDue(keyHash, now)) c.get('defer')(noteDueUse({ db: c.get('db'), keyHash, now }))
}

function lookUp(c: Context<AppEnv>, credentials: Credentials, network: Network | null): Promise<Access> {
  const [db, now, defer] = [c.get('db'), c.get('now'), c.get('defer')]
  const beforeLoading = () => requireKnownKeys(c, network)
  const snapshots = accesses.within({ kv: c.env.CACHE, now, defer, beforeLoading })
  const unknownKeys = {
    has: (name: string) => now - (unknownAt.get(name) ?? Number.NEGATIVE_INFINITY) < UNKNOWN_KEY_MS,
    add: (name: string) => {
      unknownAt.set(name, now)
      limitUnknownKeys(c, network)
    },
  }
  return findAccess(credentials, { db, snapshots, unknownKeys })
}

/** The hash of the key in a header. Throws `key-unknown` for a malformed key. */
const KEY_HASHES: Readonly<Record<KeyNeeds['header'], (value: string) => string>> = {
  'x-api-key': rememberTexts(hashOf),
  'tga-auth-token': rememberTexts(hashOf),
  authorization: rememberTexts((value) => hashOf(value.replace(/^Bearer\s+/i, ''))),
}

function hashOf(value: string): string {
  const key = value.trim()
  if (!isKey(key)) throw unknownKey()
  return hashSecret(key)
}

function readProject(c: Context): string | null {
  return c.req.raw.headers.get('x-project-id')?.trim() || c.req.query('project')?.trim() || null
}
