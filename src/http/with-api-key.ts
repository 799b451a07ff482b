import type { Context } from 'hono'
import type { Access } from '../accounts/access.ts'
import { findAccess } from '../accounts/access.ts'
import { Failure } from '../errors.ts'
import { SnapshotStore } from '../storage/cache.ts'
import type { AppEnv } from './with-context.ts'

/** What an operation asks of the key. */
export interface KeyNeeds {
  /** The header that carries the key; `authorization` takes it bare and as `Bearer <key>`. */
  readonly header: 'x-api-key' | 'authorization'
  /** `client` is content with any key. */
  readonly scope: 'full' | 'client'
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

/** Checks the key of a request. Throws `key-missing`, `key-unknown` or `forbidden`. */
export async function withApiKey(c: Context<AppEnv>, needs: KeyNeeds): Promise<Access> {
  const key = readKey(c, needs.header)
  if (!key) throw new Failure('key-missing', `Send an API key in the header ${needs.header}.`)
  const { db, now, defer } = c.var
  const snapshots = accesses.within({ kv: c.env.CACHE, now, defer })
  const access = await findAccess({ key, projectId: readProject(c) }, { db, snapshots })
  if (needs.scope === 'full' && access.scope !== 'full') {
    throw new Failure(
      'forbidden',
      'This API key is for tracking clients: it opens the client configuration and collection only.',
    )
  }
  return access
}

function readKey(c: Context, header: KeyNeeds['header']): string {
  const value = c.req.header(header)?.trim() ?? ''
  return header === 'authorization' ? value.replace(/^Bearer\s+/i, '') : value
}

function readProject(c: Context): string | null {
  return c.req.header('x-project-id')?.trim() || c.req.query('project')?.trim() || null
}
