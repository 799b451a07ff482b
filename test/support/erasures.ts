import { env } from 'cloudflare:workers'
import { openPrivateKey } from '../../src/accounts/applications/key-pair.ts'
import { unkeyedHashOf, userHashOf } from '../../src/collection/erased-users/erased-users.ts'

interface Erasure {
  readonly applicationId: number
  readonly telegramId: number
  readonly at: number
  readonly isBlocked?: boolean
  /** As earlier releases wrote it. */
  readonly isUnkeyed?: boolean
}

/** Notes that somebody was erased. */
export async function insertErasure({ at, isBlocked = false, isUnkeyed = false, ...user }: Erasure): Promise<void> {
  const hash = isUnkeyed ? unkeyedHashOf(user) : userHashOf(user, await privateKeyOf(user.applicationId))
  await env.DB.prepare('insert into erasures values (?, unhex(?), ?, ?)')
    .bind(user.applicationId, hash, at, Number(isBlocked))
    .run()
}

async function privateKeyOf(applicationId: number): Promise<string> {
  const sealed = env.DB.prepare('select sealed_private_key from applications where id = ?').bind(applicationId)
  return openPrivateKey((await sealed.first<string>('sealed_private_key')) as string, env.KEY_SEALING_SECRET)
}
