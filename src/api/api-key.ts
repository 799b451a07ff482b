import type { Context } from 'hono'
import {
  type Access,
  type Credentials,
  cacheKeyOf,
  findAccess,
  type Part,
  requirePart,
  unknownKey,
} from '../accounts/access.ts'
import { isKey } from '../accounts/api-keys.ts'
import { LastUse } from '../accounts/last-use.ts'
import { hashSecret } from '../accounts/secrets.ts'
import type { AppEnv } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Network } from '../http/limits.ts'
import { rememberTexts } from '../http/warm-path.ts'
import { SnapshotStore } from '../storage/cache.ts'
import { NegativeCache } from '../storage/negative-cache.ts'
import { type BudgetName, limitKey, limitNetwork, limitUnknownKeys, networkOf, requireKnownKeys } from './budgets.ts'

/** What an operation asks of the key. */
export interface KeyNeeds {
  /** The header that carries the key; `authorization` takes it bare and as `Bearer <key>`. */
  readonly header: 'x-api-key' | 'authorization'
  /** The part of the service that its scope must open. */
  readonly scope: Part
  /** The budget that a request counts against; `questions` by default. */
  readonly budget?: BudgetName
}

/**
 * A changed registration or a revoked key shows within 90 seconds everywhere. An account's first registration must show at
 * once, so an access without an application is never kept.
 */
const accesses = new SnapshotStore<Access>({
  prefix: 'access:',
  keep: (access) => access.application !== null,
  renewAfterSeconds: 30,
  expireAfterSeconds: 75,
  memoryEntries: 5_000,
})

/** Negative cache: a key that was tried before it was issued works after so long, any other one at once. */
const unknownKeys = new NegativeCache({ seconds: 10, entries: 10_000 })

const lastUse = new LastUse()

/**
 * Checks the key of a request and leaves what it opens as `access`. Throws `key-missing`, `key-unknown`, `forbidden` or
 * `too-many`.
 */
export async function withApiKey(c: Context<AppEnv>, needs: KeyNeeds): Promise<void> {
  const { header, scope, budget = 'questions' } = needs
  const value = c.req.raw.headers.get(header)
  if (!value) throw new Failure('key-missing', `Send an API key in the header ${header}.`)
  const network = networkOf(c)
  limitNetwork(c, budget, network)
  const credentials = { keyHash: KEY_HASHES[header](value), projectId: readProject(c) }
  const now = c.get('now')
  // A key in memory is not looked up: that alone took a warm answer a fifth of its time.
  const access = accesses.recall(cacheKeyOf(credentials), now) ?? (await lookUp(c, credentials, network))
  c.set('access', access)
  limitKey(c, budget, access.keyHash)
  requirePart(access, scope)
  const { keyHash } = access
  if (lastUse.isDue(keyHash, now)) c.get('defer')(lastUse.note({ db: c.get('db'), keyHash, now }))
}

function lookUp(c: Context<AppEnv>, credentials: Credentials, network: Network | null): Promise<Access> {
  const [db, now, defer] = [c.get('db'), c.get('now'), c.get('defer')]
  const beforeLoading = () => requireKnownKeys(c, network)
  const snapshots = accesses.within({ kv: c.env.CACHE, now, defer, beforeLoading })
  const negativeCache = {
    has: (name: string) => unknownKeys.has(name, now),
    add: (name: string) => {
      unknownKeys.add(name, now)
      limitUnknownKeys(c, network)
    },
  }
  return findAccess(credentials, { db, snapshots, unknownKeys: negativeCache })
}

/** The hash of the key that a header holds. Throws `key-unknown` for what cannot be a key. */
const KEY_HASHES: Readonly<Record<KeyNeeds['header'], (value: string) => string>> = {
  'x-api-key': rememberTexts(hashOf),
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
