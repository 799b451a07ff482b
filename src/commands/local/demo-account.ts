import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSecret } from '../../access/secrets.ts'
import { selectAccess } from '../../access/sql.ts'
import { selectApplications, selectByHandle } from '../../accounts/applications/sql.ts'
import { createAccount, issueKeyFor, makeSignInLink } from '../accounts.ts'
import { openDatabaseAt } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { OWNER_ONLY_FILE } from '../private-files.ts'
import { KEPT } from '../wrangler.ts'

/** What `npm start` prints and `npm run demo` sends with. It opens only the local demo account. */
interface DemoCredentials {
  readonly apiKey: string
  readonly projectId: string
}

const FILE = join(KEPT, 'demo.json')
export const DEMO_HANDLE = 'lemon_shop_bot'

const REGISTRATION = {
  name: 'Lemon Shop',
  handle: `@${DEMO_HANDLE}`,
  link: `https://t.me/${DEMO_HANDLE}/app`,
  description: 'The demo application of this copy',
  photo_url: 'https://example.org/lemon.png',
  // Where its evenings are busiest.
  time_zone: 'Europe/Berlin',
}

/** Throws `CommandFailure` if `npm start` never ran here. */
export function readDemoCredentials(): DemoCredentials {
  const stored = readStored()
  if (stored) return stored
  throw new CommandFailure(
    'There is no demo account yet: run "npm start" in another terminal, which creates one, or pass an API key with --key.',
  )
}

function readStored(): DemoCredentials | null {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return null
  }
}

function store(credentials: DemoCredentials): DemoCredentials {
  writeFileSync(FILE, `${JSON.stringify(credentials, null, 2)}\n`, { mode: OWNER_ONLY_FILE })
  return credentials
}

/**
 * The demo account's credentials; null if there is no demo application yet. If they were lost, the account that owns it gets a
 * new key. Call this before the service runs: the runtime does not wait for a database that another process writes to.
 */
export async function findDemo(): Promise<DemoCredentials | null> {
  const db = openDatabaseAt('local')
  const stored = readStored()
  if (stored) {
    const { apiKey, projectId } = stored
    const [access] = await selectAccess(db, { keyHash: hashSecret(apiKey), projectId })
    if (access?.application) return stored
  }
  const [owner] = await selectByHandle(db, DEMO_HANDLE)
  if (!owner) return null
  const { accountId, projectId } = owner
  const apiKey = await issueKeyFor(db, { accountId, scope: 'full', name: 'Demo', application: DEMO_HANDLE })
  return store({ apiKey, projectId })
}

/** Creates the demo account, and its application through the running service. */
export async function createDemo(url: string): Promise<DemoCredentials> {
  const db = openDatabaseAt('local')
  const { accountId, apiKey } = await createAccount(db, 'Demo', 'enterprise')
  await registerApplication(url, apiKey)
  const applications = await selectApplications(db, accountId)
  const demo = applications.find(({ handle }) => handle === DEMO_HANDLE)
  if (!demo) throw new CommandFailure('The demo application is missing right after its registration.')
  return store({ apiKey, projectId: demo.projectId })
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

/** A link that signs in to the pages of the demo account, once. */
export async function makeDemoLink(address: string): Promise<string | null> {
  const db = openDatabaseAt('local')
  const [owner] = await selectByHandle(db, DEMO_HANDLE)
  return owner ? makeSignInLink(db, owner.accountId, address) : null
}
