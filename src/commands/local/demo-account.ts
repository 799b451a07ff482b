import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSecret } from '../../access/secrets.ts'
import { selectAccess } from '../../access/sql.ts'
import { selectByHandle } from '../../accounts/applications/sql.ts'
import { createApiClient } from '../../client/api/index.ts'
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

/** The account of the demo application, which is registered once the service runs. */
interface DemoAccount {
  readonly accountId: string
  readonly apiKey: string
  /** Null if the application is not registered yet. */
  readonly projectId: string | null
}

/**
 * The demo account, with a new key if its own was lost; created if there is none. Call this before the service runs: the runtime does
 * not wait for a database that another process writes to.
 */
export async function openDemoAccount(): Promise<DemoAccount> {
  const db = openDatabaseAt('local')
  const [owner] = await selectByHandle(db, DEMO_HANDLE)
  if (!owner) return { ...(await createAccount(db, 'Demo', 'enterprise')), projectId: null }
  const { accountId, projectId } = owner
  const stored = readStored()
  if (stored?.projectId === projectId) {
    const [access] = await selectAccess(db, { keyHash: hashSecret(stored.apiKey), projectId })
    if (access?.application) return { ...stored, accountId }
  }
  const apiKey = await issueKeyFor(db, { accountId, scope: 'full', name: 'Demo', application: DEMO_HANDLE })
  return { accountId, ...store({ apiKey, projectId }) }
}

/** A link that signs in to the pages of the demo account, once. Make it before the service runs. */
export function makeDemoLink({ accountId }: DemoAccount, address: string): Promise<string> {
  return makeSignInLink(openDatabaseAt('local'), accountId, address)
}

/** Registers the demo application through the running service, unless it is there. */
export async function registerDemo({ apiKey, projectId }: DemoAccount, url: string): Promise<DemoCredentials> {
  return projectId === null ? store({ apiKey, projectId: await register(url, apiKey) }) : { apiKey, projectId }
}

/** Returns the id of the project. */
async function register(url: string, apiKey: string): Promise<string> {
  const api = createApiClient({ host: url, key: apiKey })
  const { data, error, response } = await api.POST('/applications/register', { body: REGISTRATION })
  if (data) return data.project_id
  if (response.status === 409) throw new CommandFailure('Another "npm start" is setting up this folder. Try again.')
  throw new CommandFailure(`The demo application could not be registered: ${response.status} ${JSON.stringify(error)}`)
}
