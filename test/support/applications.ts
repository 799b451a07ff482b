import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { insertApplication } from '../../src/applications/sql.ts'
import { DEFAULT_CAPTURE } from '../../src/client-config/capture-settings.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createAccount, createApplication, createKey, request } from './client.ts'

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

/** A registered application with the public key that its tracking clients are given. */
export async function createSealedApplication(): Promise<SealedApplication> {
  const { handle, key } = await createApplication()
  const response = await request('/v1/client/config', { headers: { authorization: `Bearer ${key}` } })
  const { public_key: publicKey } = await response.json<{ public_key: string }>()
  return { key, publicKey, applicationId: await applicationIdOf(handle) }
}

/** An application without a key pair, for tests that seal nothing: making one takes long. */
export async function createPlainApplication(): Promise<PlainApplication> {
  const { id: accountId } = await createAccount()
  const handle = `bot_${randomUUID().slice(0, 8)}`
  await insertApplication(openDatabase(env.DB), {
    handle,
    accountId,
    projectId: randomUUID(),
    name: 'Lemon Shop',
    link: `https://t.me/${handle}`,
    description: '',
    photoUrl: 'https://example.org/lemon.png',
    publicKey: '',
    sealedPrivateKey: '',
    capture: DEFAULT_CAPTURE,
    createdAt: Date.now(),
  })
  const applicationId = await applicationIdOf(handle)
  return { applicationId, handle, accountId, key: await createKey(accountId, 'full', applicationId) }
}

async function applicationIdOf(handle: string): Promise<number> {
  const statement = env.DB.prepare('select id from applications where handle = ?').bind(handle)
  return (await statement.first<number>('id')) as number
}
