import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { selectApplications, selectByHandle } from '../applications/sql.ts'
import { createAccount, issueKeyFor, type NewAccount } from '../commands/accounts.ts'
import { openDatabaseAt } from '../commands/database.ts'
import { CommandFailure } from '../commands/failure.ts'
import { makeSignInLink } from '../commands/sign-in-links.ts'
import { type DemoCredentials, readDemoCredentials, writeDemoCredentials } from './credentials.ts'

const HANDLE = 'lemon_shop_bot'

const REGISTRATION = {
  name: 'Lemon Shop',
  handle: `@${HANDLE}`,
  link: `https://t.me/${HANDLE}/app`,
  description: 'The demo application of this copy',
  photo_url: 'https://example.org/lemon.png',
}

/** The demo account of this copy with its one application; what is missing of them is created. */
export async function findOrCreateDemo(url: string): Promise<DemoCredentials> {
  const kept = await readDemoCredentials()
  if (kept && (await opens(url, kept))) return kept
  const credentials = await createDemo(url)
  await writeDemoCredentials(credentials)
  return credentials
}

/** A link that signs in to the pages of the demo account, once; null where there is no such account yet. */
export async function makeDemoLink(address: string): Promise<string | null> {
  const db = openDatabaseAt('local')
  const [owner] = await selectByHandle(db, HANDLE)
  return owner ? makeSignInLink(db, { accountId: owner.accountId, address }) : null
}

async function opens(url: string, { apiKey, projectId }: DemoCredentials): Promise<boolean> {
  const headers = { authorization: `Bearer ${apiKey}`, 'x-project-id': projectId }
  return (await fetch(`${url}/v1/client/config`, { headers })).ok
}

async function createDemo(url: string): Promise<DemoCredentials> {
  const db = openDatabaseAt('local')
  const { accountId, apiKey } = await findOrCreateAccount(db)
  await registerApplication(url, apiKey)
  const applications = await selectApplications(db, accountId)
  const demo = applications.find(({ handle }) => handle === HANDLE)
  if (!demo) throw new CommandFailure('The demo application is missing right after its registration.')
  return { apiKey, projectId: demo.projectId }
}

/** Where the credentials were lost, the account that owns the demo application gets a new key. */
async function findOrCreateAccount(db: SqliteRemoteDatabase): Promise<NewAccount> {
  const [owner] = await selectByHandle(db, HANDLE)
  if (!owner) return createAccount(db, 'Demo', 'enterprise')
  const { accountId } = owner
  return { accountId, apiKey: await issueKeyFor(db, { accountId, scope: 'full', name: 'Demo', application: HANDLE }) }
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
