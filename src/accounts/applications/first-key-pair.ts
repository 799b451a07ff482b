import { unknownKey } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { mainObject } from '../../storage/application-objects.ts'
import type { Database } from '../../storage/database.ts'
import { EntryCache } from '../../storage/memory.ts'
import { generateKeyPair, sealPrivateKey } from './key-pair.ts'
import { insertKeyPair, selectKeyPair } from './sql.ts'

interface Asking {
  readonly db: Database
  readonly namespace: Env['APPLICATIONS']
}

/**
 * The public key of an application, whose key pair is made when the first client asks for it. Its object makes the pair, because the
 * platform allows objects more processor time than requests, and does so once for all who ask at the same time. Throws `key-unknown` if
 * the application was deleted, and `unavailable`.
 */
export async function findPublicKey(applicationId: number, { db, namespace }: Asking): Promise<string> {
  const pair = await readKeyPair(db, applicationId)
  const making = () => mainObject(applicationId, namespace).makeKeyPair()
  const publicKey = pair.publicKey || (await making().catch(throwUnavailable))
  if (publicKey === '') throw unknownKey()
  return publicKey
}

const NOT_MADE = 'The key pair of this application cannot be made at the moment. Try again in a few seconds.'

function throwUnavailable(cause: unknown): never {
  throw new Failure('unavailable', NOT_MADE, { cause })
}

interface Making {
  readonly db: Database
  /** The deployment's secrets, the newest first. */
  readonly secrets: string
}

/** Makes the key pair of an application, unless it has one by now; returns its public key. */
export async function makeKeyPair(applicationId: number, { db, secrets }: Making): Promise<string> {
  const pair = await readKeyPair(db, applicationId)
  if (pair.publicKey !== '') return pair.publicKey
  const { publicKey, privateKey } = generateKeyPair()
  await insertKeyPair(db, { id: applicationId, publicKey, sealedPrivateKey: sealPrivateKey(privateKey, secrets) })
  return (await readKeyPair(db, applicationId)).publicKey
}

type StoredKeyPair = Awaited<ReturnType<typeof selectKeyPair>>[number]

/** Copies of applications that are older than their pairs are in use for a while, also where the database is away. */
const known = new EntryCache<StoredKeyPair, number>(1_000)

/** Empty texts if it is not made yet, or the application is gone. */
export async function readKeyPair(db: Database, applicationId: number): Promise<StoredKeyPair> {
  const found = known.get(applicationId) ?? (await selectKeyPair(db, applicationId))[0]
  if (found?.publicKey) known.set(applicationId, found)
  return found ?? { publicKey: '', sealedPrivateKey: '' }
}
