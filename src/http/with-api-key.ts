import type { Context } from 'hono'
import type { Access } from '../accounts/access.ts'
import { findAccess } from '../accounts/access.ts'
import { Failure } from '../errors.ts'
import { SnapshotStore } from '../storage/cache.ts'
import { Misses } from '../storage/misses.ts'
import type { AppEnv } from './with-context.ts'
import { type BudgetName, limitsOf } from './with-limits.ts'

/** What an operation asks of the key. */
export interface KeyNeeds {
  /** The header that carries the key; `authorization` takes it bare and as `Bearer <key>`. */
  readonly header: 'x-api-key' | 'authorization'
  /** `client` is content with any key. */
  readonly scope: 'full' | 'client'
  /** What a request is counted under; `questions` where nothing is said. */
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

/** A key works at once when it is issued, unless it was tried before: then after so long. */
const misses = new Misses({ seconds: 10, entries: 10_000 })

/** Checks the key of a request. Throws `key-missing`, `key-unknown`, `forbidden` or `too-many`. */
export async function withApiKey(c: Context<AppEnv>, needs: KeyNeeds): Promise<Access> {
  const key = readKey(c, needs.header)
  if (!key) throw new Failure('key-missing', `Send an API key in the header ${needs.header}.`)
  const now = c.get('now')
  const limits = limitsOf(c, needs.budget ?? 'questions')
  limits.spendOfAddress()
  const snapshots = accesses.within({
    kv: c.env.CACHE,
    now,
    defer: c.get('defer'),
    beforeAsking: limits.requireKnownKeys,
  })
  const known = { has: (name: string) => misses.has(name, now), add: (name: string) => miss(name) }
  const access = await findAccess({ key, projectId: readProject(c) }, { db: c.get('db'), snapshots, misses: known })
  limits.spendOfKey(access.keyHash)
  if (needs.scope === 'full' && access.scope !== 'full') {
    throw new Failure(
      'forbidden',
      'This API key is for tracking clients: it opens the client configuration and collection only.',
    )
  }
  return access

  function miss(name: string): void {
    misses.add(name, now)
    limits.spendOnUnknownKey()
  }
}

function readKey(c: Context, header: KeyNeeds['header']): string {
  const value = c.req.header(header)?.trim() ?? ''
  return header === 'authorization' ? value.replace(/^Bearer\s+/i, '') : value
}

function readProject(c: Context): string | null {
  return c.req.header('x-project-id')?.trim() || c.req.query('project')?.trim() || null
}
