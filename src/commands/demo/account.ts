import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { hashSecret } from '../../access/secrets.ts'
import { selectAccess } from '../../access/sql.ts'
import { selectApplications, selectByHandle } from '../../accounts/applications/sql.ts'
import { createAccount, issueKeyFor } from '../accounts.ts'
import { openDatabaseAt } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { makeSignInLink } from '../sign-in-links.ts'
import { KEPT } from '../wrangler.ts'

/** What `npm start` prints and `npm run demo` sends with. It opens the local demo account only. */
export interface DemoCredentials {
  readonly apiKey: string
  readonly projectId: string
}

const FILE = join(KEPT, 'demo.json')

export async function readDemoCredentials(): Promise<DemoCredentials | null> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8'))
  } catch {
    return null
  }
}

async function keep(credentials: DemoCredentials): Promise<DemoCredentials> {
  await mkdir(KEPT, { recursive: true })
  await writeFile(FILE, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  return credentials
}

const HANDLE = 'lemon_shop_bot'

const REGISTRATION = {
  name: 'Lemon Shop',
  handle: `@${HANDLE}`,
  link: `https://t.me/${HANDLE}/app`,
  description: 'The demo application of this copy',
  photo_url: 'https://example.org/lemon.png',
}

/**
 * The demo account's credentials; null where there is no demo application yet. Where they were lost, the account that owns it
 * gets a new key. Call it before the service runs: the runtime does not wait for a database that somebody else writes to.
 */
export async function findDemo(): Promise<DemoCredentials | null> {
  const db = openDatabaseAt('local')
  const kept = await readDemoCredentials()
  if (kept && (await opens(db, kept))) return kept
  const [owner] = await selectByHandle(db, HANDLE)
  if (!owner) return null
  const { accountId, projectId } = owner
  const apiKey = await issueKeyFor(db, { accountId, scope: 'full', name: 'Demo', application: HANDLE })
  return keep({ apiKey, projectId })
}

/** Creates the demo account, and its application through the running service. */
export async function createDemo(url: string): Promise<DemoCredentials> {
  const db = openDatabaseAt('local')
  const { accountId, apiKey } = await createAccount(db, 'Demo', 'enterprise')
  await registerApplication(url, apiKey)
  const applications = await selectApplications(db, accountId)
  const demo = applications.find(({ handle }) => handle === HANDLE)
  if (!demo) throw new CommandFailure('The demo application is missing right after its registration.')
  return keep({ apiKey, projectId: demo.projectId })
}

/** A link that signs in to the pages of the demo account, once; null where there is no such account yet. */
export async function makeDemoLink(address: string): Promise<string | null> {
  const db = openDatabaseAt('local')
  const [owner] = await selectByHandle(db, HANDLE)
  return owner ? makeSignInLink(db, { accountId: owner.accountId, address }) : null
}

async function opens(db: SqliteRemoteDatabase, { apiKey, projectId }: DemoCredentials): Promise<boolean> {
  const [access] = await selectAccess(db, { keyHash: hashSecret(apiKey), projectId })
  return Boolean(access?.application)
}

async function registerApplication(url: string, apiKey: string): Promise<void> {
  const response = await fetch(`${url}/applications/register`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(REGISTRATION),
  })
  if (response.ok) return
  if (response.status === 409) throw new CommandFailure('Another "npm start" is setting up this folder. Try again.')
  throw new CommandFailure(`The demo application could not be registered: ${response.status} ${await response.text()}`)
}
