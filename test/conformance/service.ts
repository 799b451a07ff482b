import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import type { TestProject } from 'vitest/node'
import { INIT_DATA_PUBLIC_KEYS } from '../support/init-data.ts'
import { bundleWorker, LOOPBACK, migrate, optionsOf, SERVICE } from '../support/running-worker.ts'

/** The service under test, as the tests of this folder see it. */
export interface Service {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Opens everything, and acts for an application. */
  readonly apiKey: string
  /** The handle of an application of the key's account, without its at-sign. */
  readonly handle: string
  /** What only the owner of the database can make; null if the service is somebody else's. */
  readonly owned: Owned | null
}

export interface Owned {
  readonly clientKey: string
  readonly revokedKey: string
  /** The project id of the application that `apiKey` acts for. */
  readonly projectId: string
  readonly foreignKey: string
  readonly foreignProjectId: string
  readonly foreignHandle: string
  /** A key of an account with the plan "standard" that stays without an application. */
  readonly standardKey: string
  /** A key of another account with the plan "standard", for one test. */
  readonly newStandardKey: string
  /** A key of an application that sends seals which do not open: only the first of each day are reported. */
  readonly unopenedKey: string
  /** Full keys of accounts without an application: each serves one test. */
  readonly newKeys: readonly [string, string, string, string, string]
}

declare module 'vitest' {
  interface ProvidedContext {
    service: Service
  }
}

/** Serves the real worker, unless MAUVE_BASE_URL and MAUVE_API_KEY name a service that runs already. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { MAUVE_BASE_URL, MAUVE_API_KEY } = process.env
  if (MAUVE_BASE_URL === undefined) return serve(project)
  if (MAUVE_API_KEY === undefined) {
    throw new Error(
      'MAUVE_BASE_URL needs MAUVE_API_KEY, a key of scope "full" of an account with the plan "enterprise".',
    )
  }
  const baseUrl = MAUVE_BASE_URL.replace(/\/+$/, '')
  const handle = await registerApplication(baseUrl, MAUVE_API_KEY)
  project.provide('service', { baseUrl, apiKey: MAUVE_API_KEY, handle, owned: null })
  return undefined
}

/**
 * All tests come from one address, most with one key: limits that they do not reach, and queues that hardly wait before they
 * deliver.
 */
const GENEROUS = { simple: { limit: 1_000_000, period: 10 as const } }
const QUEUE_SECONDS = 0.05

async function serve(project: TestProject): Promise<() => Promise<void>> {
  // Without this Miniflare asks the network where it is.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
  const folder = mkdtempSync(join(tmpdir(), 'mauve-conformance-'))
  bundleWorker(SERVICE, folder)
  const secrets = { KEY_SEALING_SECRET: Buffer.alloc(32, 'test').toString('base64'), INIT_DATA_PUBLIC_KEYS }
  const options = optionsOf(SERVICE, { folder, secrets, queueSeconds: QUEUE_SECONDS })
  const limits = Object.keys(options.ratelimits ?? {}).map((name) => [name, { namespace_id: name, ...GENEROUS }])
  const worker = { ...options, ratelimits: Object.fromEntries(limits) }
  const logging = { log: new Log(LogLevel.ERROR), handleStructuredLogs: printErrors }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ host: LOOPBACK, port: 0, ...logging, workers: [worker] }))
  const { origin } = await miniflare.ready
  const db = await miniflare.getD1Database('DB')
  await migrate(db)
  project.provide('service', await furnish(db, origin))
  return async () => {
    await miniflare.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

function printErrors({ level, message }: { level: string; message: string }): void {
  if (level === 'error') console.error(message)
}

/** Fills an empty service with the accounts, keys and applications that the tests need. */
async function furnish(db: D1Database, baseUrl: string): Promise<Service> {
  const account = await createAccount(db)
  const foreigner = await createAccount(db)
  const apiKey = await createKey(db, { accountId: account })
  const foreignKey = await createKey(db, { accountId: foreigner })
  const handle = await registerApplication(baseUrl, apiKey)
  const foreignHandle = await registerApplication(baseUrl, foreignKey)
  const unopenedKey = await createNewcomer(db)
  await registerApplication(baseUrl, unopenedKey)
  const application = await findApplication(db, handle)
  const foreign = await findApplication(db, foreignHandle)
  const client = { accountId: account, applicationId: application.id, scope: 'client' } as const
  return {
    baseUrl,
    apiKey,
    handle,
    owned: {
      clientKey: await createKey(db, client),
      revokedKey: await createKey(db, { accountId: account, applicationId: application.id, revokedAt: Date.now() }),
      projectId: application.project_id,
      foreignKey,
      foreignProjectId: foreign.project_id,
      foreignHandle,
      unopenedKey,
      standardKey: await createNewcomer(db, 'standard'),
      newStandardKey: await createNewcomer(db, 'standard'),
      newKeys: [
        await createNewcomer(db),
        await createNewcomer(db),
        await createNewcomer(db),
        await createNewcomer(db),
        await createNewcomer(db),
      ],
    },
  }
}

type Plan = 'standard' | 'enterprise'

async function createNewcomer(db: D1Database, plan: Plan = 'enterprise'): Promise<string> {
  return createKey(db, { accountId: await createAccount(db, plan) })
}

async function createAccount(db: D1Database, plan: Plan = 'enterprise'): Promise<string> {
  const id = randomUUID()
  await db
    .prepare('insert into accounts (id, name, plan, created_at) values (?, ?, ?, ?)')
    .bind(id, 'Conformance', plan, Date.now())
    .run()
  return id
}

interface NewKey {
  readonly accountId: string
  readonly applicationId?: number
  readonly scope?: 'full' | 'client'
  readonly revokedAt?: number
}

async function createKey(db: D1Database, { accountId, applicationId, scope, revokedAt }: NewKey): Promise<string> {
  const key = randomUUID()
  const hash = createHash('sha256').update(key).digest('hex')
  await db
    .prepare(
      `insert into api_keys (hash, account_id, application_id, scope, last_four, created_at, revoked_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(hash, accountId, applicationId ?? null, scope ?? 'full', key.slice(-4), Date.now(), revokedAt ?? null)
    .run()
  return key
}

/** Returns the handle, without its at-sign. */
async function registerApplication(baseUrl: string, key: string): Promise<string> {
  const handle = `conformance_${randomUUID().slice(0, 8)}`
  const response = await fetch(`${baseUrl}/applications/register`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Conformance',
      handle: `@${handle}`,
      link: `https://t.me/${handle}`,
      photo_url: 'https://example.org/photo.png',
    }),
  })
  if (response.ok) return handle
  throw new Error(`The application could not be registered: ${response.status} ${await response.text()}`)
}

async function findApplication(db: D1Database, handle: string): Promise<{ id: number; project_id: string }> {
  const statement = db.prepare('select id, project_id from applications where handle = ?').bind(handle)
  const row = await statement.first<{ id: number; project_id: string }>()
  if (row) return row
  throw new Error(`There is no application @${handle} right after its registration.`)
}
