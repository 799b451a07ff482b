import { createHash, createHmac } from 'node:crypto'
import { privateKeyOf } from '../../accounts/applications/key-pair.ts'
import { logError } from '../../base/log.ts'
import type { Database } from '../../storage/database.ts'
import { selectErasures, selectSealedKeys } from './sql.ts'

/** A user within an application, by messenger id. */
export interface User {
  readonly applicationId: number
  readonly telegramId: number
}

/**
 * By which the control database recognises an erased user: 32 bytes in hexadecimal. Messenger ids are few enough to try all of them, so
 * the hash is keyed with the application's private key. That is stored sealed with the deployment's secret, and stays when the secret is
 * rotated.
 */
export function userHashOf(user: User, privateKey: string): string {
  return keyedHashOf(unkeyedHashOf(user), privateKey)
}

const UNKEYED_BYTES = 16

/** What release a465e32 wrote. The keyed hash is made of it, so its rows can be keyed without knowing the user. */
export function unkeyedHashOf({ applicationId, telegramId }: User): string {
  return createHash('sha256').update(`${applicationId} ${telegramId}`).digest().toString('hex', 0, UNKEYED_BYTES)
}

export function keyedHashOf(unkeyedHash: string, privateKey: string): string {
  return createHmac('sha256', privateKey).update(`erased user ${unkeyedHash}`).digest('hex')
}

/** Private keys, by application, of those that somebody was erased from. */
export type ErasureKeys = ReadonlyMap<number, string>

interface Keyed {
  readonly erasureKey: string | null
}

export function erasureKeysOf(applications: Iterable<readonly [applicationId: number, Keyed]>): ErasureKeys {
  const all = [...applications].map(([id, { erasureKey }]) => [id, erasureKey] as const)
  return new Map(all.filter((one): one is readonly [number, string] => one[1] !== null))
}

/** The same for these applications, as the control database has them now. */
export async function readErasureKeys(
  applicationIds: readonly number[],
  { directory, secrets }: { readonly directory: Database; readonly secrets: string },
): Promise<ErasureKeys> {
  const rows = await selectSealedKeys(directory, [...new Set(applicationIds)])
  return erasureKeysOf(
    rows.map(({ id, sealedKey }) => [id, { erasureKey: openErasureKey({ applicationId: id, sealedKey, secrets }) }]),
  )
}

interface SealedErasureKey {
  readonly applicationId: number
  readonly sealedKey: string
  readonly secrets: string
}

/** Null, and an error in the log, if no secret opens it: then erased users cannot be recognised. */
export function openErasureKey({ applicationId, sealedKey, secrets }: SealedErasureKey): string | null {
  try {
    return privateKeyOf(sealedKey, secrets)
  } catch (error) {
    logError('erased users not known', error, { application: applicationId })
    return null
  }
}

export interface SentOf extends User {
  /** When the queue took it: milliseconds since 1970 UTC. */
  readonly enqueuedAt: number
}

interface Erased {
  readonly directory: Database
  readonly keys: ErasureKeys
}

/** Users looked up in one statement: a bound value is at most 2 MB long. */
const AT_ONCE = 5_000

/** Leaves out what was sent before its user was erased, and everything of blocked users. */
export async function withoutErased<Sent extends SentOf>(
  sent: readonly Sent[],
  { directory, keys }: Erased,
): Promise<Sent[]> {
  const users = new Map(sent.map((user) => [nameOf(user), user]))
  const erasedUntil = new Map<string, number>()
  const known = [...users.values()].filter(({ applicationId }) => keys.has(applicationId))
  for (let first = 0; first < known.length; first += AT_ONCE) {
    const hashes = known.slice(first, first + AT_ONCE).flatMap((user) => hashesOf(user, keys))
    const names = new Map(hashes.map(({ user, userHash }) => [userHash, nameOf(user)]))
    const rows = await selectErasures(
      directory,
      hashes.map(({ user, userHash }) => [user.applicationId, userHash]),
    )
    for (const { userHash, erasedAt, isBlocked } of rows) {
      const name = names.get(userHash) as string
      erasedUntil.set(name, isBlocked ? Number.POSITIVE_INFINITY : Math.max(erasedAt, erasedUntil.get(name) ?? 0))
    }
  }
  return sent.filter((item) => item.enqueuedAt > (erasedUntil.get(nameOf(item)) ?? Number.NEGATIVE_INFINITY))
}

function nameOf({ applicationId, telegramId }: User): string {
  return `${applicationId} ${telegramId}`
}

/** Also the hash of release a465e32, until cron has keyed it. */
function hashesOf(user: User, keys: ErasureKeys): { readonly user: User; readonly userHash: string }[] {
  const unkeyed = unkeyedHashOf(user)
  return [unkeyed, keyedHashOf(unkeyed, keys.get(user.applicationId) as string)].map((userHash) => ({ user, userHash }))
}
