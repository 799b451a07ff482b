import { env } from 'cloudflare:workers'
import { openPrivateKey } from '../../src/accounts/applications/key-pair.ts'
import { unkeyedHashOf, userHashOf } from '../../src/collection/erased-users/erased-users.ts'

interface Erasure {
  readonly applicationId: number
  readonly telegramId: number
  readonly at: number
  readonly isBlocked?: boolean
  /** Set if the hash is not keyed, as earlier releases wrote it. */
  readonly isUnkeyed?: boolean
}

/** Notes that somebody was erased. */
export async function insertErasure({ at, isBlocked = false, isUnkeyed = false, ...user }: Erasure): Promise<void> {
  const hash = isUnkeyed ? unkeyedHashOf(user) : userHashOf(user, await erasureKeyOf(user.applicationId))
  await env.DB.prepare('insert into erasures values (?, unhex(?), ?, ?)')
    .bind(user.applicationId, hash, at, Number(isBlocked))
    .run()
}

async function erasureKeyOf(applicationId: number): Promise<string> {
  const columns = 'sealed_erasure_key as own, sealed_private_key as shared'
  const statement = env.DB.prepare(`select ${columns} from applications where id = ?`).bind(applicationId)
  const sealed = await statement.first<{ own: string | null; shared: string }>()
  return openPrivateKey(sealed?.own ?? sealed?.shared ?? '', env.KEY_SEALING_SECRET)
}
