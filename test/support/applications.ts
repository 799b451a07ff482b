import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { generateKeyPair, type KeyPair, sealPrivateKey } from '../../src/accounts/applications/key-pair.ts'
import { insertApplication } from '../../src/accounts/applications/sql.ts'
import { insertAccount } from '../../src/accounts/sql.ts'
import { DEFAULT_CAPTURE } from '../../src/storage/capture-settings.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { insertTestKey } from './client.ts'

export interface CollectingApplication {
  readonly applicationId: number
  readonly key: string
}

export interface PlainApplication extends CollectingApplication {
  readonly accountId: string
  readonly handle: string
}

export interface SealedApplication extends CollectingApplication {
  readonly publicKey: string
}

declare global {
  /** Once for all files that share a runtime. */
  var keyPairs: KeyPair[]
}

/** Making a key pair takes long: applications have these in turn, so that two made one after the other differ. */
const KEY_PAIRS = 2
globalThis.keyPairs ??= []
let taken = 0

function takeKeyPair(): KeyPair {
  if (keyPairs.length < KEY_PAIRS) keyPairs.push(generateKeyPair())
  return keyPairs[taken++ % KEY_PAIRS] as KeyPair
}

/** An application that opens what is sealed with its public key; its private key keys the hashes of erased users, as in earlier releases. */
export async function createSealedApplication(): Promise<SealedApplication & PlainApplication> {
  const { publicKey, privateKey } = takeKeyPair()
  const sealedPrivateKey = sealPrivateKey(privateKey, env.KEY_SEALING_SECRET)
  return { ...(await insert({ publicKey, sealedPrivateKey })), publicKey }
}

/** An application as it is registered: without a key pair. */
export function createPlainApplication(): Promise<PlainApplication> {
  const sealedErasureKey = sealPrivateKey(randomUUID(), env.KEY_SEALING_SECRET)
  return insert({ publicKey: '', sealedPrivateKey: '', sealedErasureKey })
}

interface Keys {
  readonly publicKey: string
  readonly sealedPrivateKey: string
  readonly sealedErasureKey?: string
}

async function insert(keys: Keys): Promise<PlainApplication> {
  const accountId = randomUUID()
  const handle = `bot_${randomUUID().slice(0, 8)}`
  const application = {
    handle,
    accountId,
    projectId: randomUUID(),
    name: 'Lemon Shop',
    link: `https://t.me/${handle}`,
    description: '',
    photoUrl: 'https://example.org/lemon.png',
    ...keys,
    capture: DEFAULT_CAPTURE,
    createdAt: Date.now(),
  }
  const db = openDatabase(env.DB)
  const [, , inserted] = await db.batch([
    insertAccount(db, { id: accountId, name: 'Test', plan: 'enterprise', createdAt: Date.now() }),
    insertTestKey(accountId, 'full'),
    insertApplication(db, application, 1),
  ])
  const applicationId = inserted[0]?.id as number
  const key: string = randomUUID()
  await db.batch([
    insertTestKey(accountId, 'full', applicationId, spareKeyOf(handle)),
    insertTestKey(accountId, 'full', applicationId, key),
  ])
  return { applicationId, handle, accountId, key }
}

/** A second key of the application, which a test may revoke. */
export function spareKeyOf(handle: string): string {
  return `spare key of ${handle}`
}
