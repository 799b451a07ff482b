import { createHash, createHmac } from 'node:crypto'
import { privateKeyOf } from '../../accounts/applications/key-pair.ts'
import { logError } from '../../base/log.ts'
import type { Database } from '../../storage/database.ts'
import { chunksOf } from '../chunks.ts'
import { selectDeletions, selectErasures, selectSealedKeys } from './sql.ts'

export { insertDeletion } from './sql.ts'

/** A user within an application, by messenger id. */
export interface User {
  readonly applicationId: number
  readonly telegramId: number
}

/**
 * The hash by which the control database recognises an erased user: 32 bytes in hexadecimal. Messenger ids are few enough to try all
 * of them, so the hash is keyed with a secret of the application (in applications of earlier releases, its private key). That is
 * stored sealed with the deployment's secret, and stays when the secret is rotated.
 */
export function userHashOf(user: User, erasureKey: string): string {
  return keyedHashOf(unkeyedHashOf(user), erasureKey)
}

const UNKEYED_BYTES = 16

/** What release a465e32 wrote. The keyed hash is made of it, so its rows can be keyed without knowing the user. */
export function unkeyedHashOf({ applicationId, telegramId }: User): string {
  return createHash('sha256').update(`${applicationId} ${telegramId}`).digest().toString('hex', 0, UNKEYED_BYTES)
}

export function keyedHashOf(unkeyedHash: string, erasureKey: string): string {
  return createHmac('sha256', erasureKey).update(`erased user ${unkeyedHash}`).digest('hex')
}

/** What keys the hashes of erased users, by application; null if nobody was erased from it, or no secret opens the key. */
export type ErasureKeys = ReadonlyMap<number, { readonly erasureKey: string | null }>

/** Reads the keys of those applications that somebody was erased from, as the control database has them now. */
export async function readErasureKeys(
  applicationIds: readonly number[],
  { directory, secrets }: { readonly directory: Database; readonly secrets: string },
): Promise<ErasureKeys> {
  const rows = await selectSealedKeys(directory, [...new Set(applicationIds)])
  return new Map(
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

export interface Erasures {
  readonly directory: Database
  readonly keys: ErasureKeys
}

/** Looked up in one statement: a bound value is at most 2 MB long. */
const HASHES_AT_ONCE = 10_000

/** Whether something of these users was sent before its user was erased; of blocked users, everything was. */
export async function findErased(users: readonly User[], erasures: Erasures): Promise<(sent: SentOf) => boolean> {
  const erasedUntil = await findErasures(users, erasures)
  return (sent) => sent.enqueuedAt <= (erasedUntil(sent) ?? Number.NEGATIVE_INFINITY)
}

/** Whether something was sent before its application was deleted. */
export async function findDeleted(
  applicationIds: Iterable<number>,
  directory: Database,
): Promise<(sent: Pick<SentOf, 'applicationId' | 'enqueuedAt'>) => boolean> {
  const rows = await selectDeletions(directory, [...applicationIds])
  const deletedAt = new Map(rows.map((row) => [row.applicationId, row.deletedAt]))
  return ({ applicationId, enqueuedAt }) => enqueuedAt <= (deletedAt.get(applicationId) ?? Number.NEGATIVE_INFINITY)
}

/** When those of these users who were erased were; infinite for blocked users, null for the others. */
export async function findErasures(
  users: readonly User[],
  { directory, keys }: Erasures,
): Promise<(user: User) => number | null> {
  const known = users.filter(({ applicationId }) => (keys.get(applicationId)?.erasureKey ?? null) !== null)
  const distinct = new Map(known.map((user) => [nameOf(user), user]))
  const hashes = [...distinct.values()].flatMap((user) => hashesOf(user, keys))
  const names = new Map(hashes.map(({ user, userHash }) => [userHash, nameOf(user)]))
  const erasedUntil = new Map<string, number>()
  for (const chunk of chunksOf(hashes, HASHES_AT_ONCE, () => 1)) {
    const rows = await selectErasures(
      directory,
      chunk.map(({ user, userHash }) => [user.applicationId, userHash]),
    )
    for (const { userHash, erasedAt, isBlocked } of rows) {
      const name = names.get(userHash) as string
      erasedUntil.set(name, isBlocked ? Number.POSITIVE_INFINITY : Math.max(erasedAt, erasedUntil.get(name) ?? 0))
    }
  }
  return (user) => (erasedUntil.size === 0 ? null : (erasedUntil.get(nameOf(user)) ?? null))
}

function nameOf({ applicationId, telegramId }: User): string {
  return `${applicationId} ${telegramId}`
}

/** Also the hash of release a465e32, until cron has keyed it. */
function hashesOf(user: User, keys: ErasureKeys): { readonly user: User; readonly userHash: string }[] {
  const unkeyed = unkeyedHashOf(user)
  return [unkeyed, keyedHashOf(unkeyed, keys.get(user.applicationId)?.erasureKey as string)].map((userHash) => ({
    user,
    userHash,
  }))
}
