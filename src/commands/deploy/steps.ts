import { setTimeout as sleep } from 'node:timers/promises'
import { selectAnyApplication } from '../../accounts/applications/sql.ts'
import type { Plan } from '../../accounts/new-account.ts'
import { selectAccounts } from '../../accounts/sql.ts'
import { createAccount } from '../accounts.ts'
import { connectBot, readBotToken } from '../bot.ts'
import { openDatabaseAt } from '../database.ts'
import { type DatabaseBinding, type Deployment, type Namespace, nameJurisdiction } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { writeSecretFile } from '../private-files.ts'
import { run, runIfThere, runWrangler, runWranglerInTerminal } from '../wrangler.ts'
import { addressIn, deployWorker, hasSecret, linesFor, newSecret, type Secret } from './worker.ts'

/** What steps leave for later ones. */
export interface DeployProgress {
  /** New secrets for the Worker's deployment. */
  readonly secrets: Secret[]
  /** The id of each KV namespace, by binding. */
  readonly namespaceIds: Record<string, string>
  address: string | null
}

/** One step of a deployment. A second run does nothing. */
export interface Step {
  readonly title: string
  /** The commands of Wrangler, for people to read. */
  readonly commands: readonly string[]
  /** Returns lines that say what was done. */
  readonly run: (progress: DeployProgress) => Promise<string>
}

/**
 * From nothing to a working service. The order matters: an update adds new columns before the new code uses them, and no secret
 * is created where private keys are sealed with an older one.
 */
export function stepsOf(deployment: Deployment & { readonly isNewJurisdiction: boolean }): Step[] {
  const { databases, queues, jurisdiction } = deployment
  return [
    { title: 'Signing in', commands: ['whoami --json', 'login'], run: () => signIn(deployment) },
    ...(deployment.isNewJurisdiction && jurisdiction ? [jurisdictionStep(jurisdiction, databases)] : []),
    ...queues.map((queue) => queueStep(queue, deployment)),
    ...databases.map(({ name }) => databaseStep(name, jurisdiction)),
    ...deployment.namespaces.map(namespaceStep),
    migrationStep(databases),
    ...deployment.secrets.map((name) => ({
      title: `Secret ${name}`,
      commands: ['secret list', '(32 random bytes, passed to the next step in a file that is then deleted)'],
      run: (progress: DeployProgress) => createSecret(name, progress),
    })),
    { title: 'Worker', commands: ['deploy --config FILE [--secrets-file FILE]'], run: deploy },
    {
      title: 'First account',
      commands: ['d1 execute DB --remote --command "select … insert …"'],
      run: () => createFirstAccount(deployment.defaultPlan as Plan),
    },
    { title: 'Health', commands: ['(GET ADDRESS/health)'], run: waitForHealth },
    { title: 'Bot', commands: ['(with BOT_TOKEN: secret list, setWebhook)'], run: connect },
  ]
}

/** Whether this runs in the platform's own build (Workers Builds), which is signed in and has created what wrangler.toml names. */
export function isPlatformBuild(): boolean {
  return process.env.WORKERS_CI === '1'
}

/** What is left to do in the platform's build. It knows databases by their bindings: their names are the operator's choice. */
export function stepsOfBuild({ databases }: Deployment): Step[] {
  return [
    migrationStep(databases),
    {
      title: 'Worker',
      commands: ['deploy'],
      run: async (progress) => {
        progress.address = addressIn(await run(['deploy']))
        return deployedAt(progress)
      },
    },
    {
      title: 'First account',
      commands: ['d1 execute DB --remote --command "select …"'],
      run: async ({ address }) => {
        const accounts = await selectAccounts(openDatabaseAt('remote'))
        return accounts.length > 0 ? 'exists already' : `open ${address ?? ''}/setup and enter your SETUP_SECRET there`
      },
    },
    { title: 'Health', commands: ['(GET ADDRESS/health)'], run: waitForHealth },
  ]
}

function migrationStep(databases: readonly DatabaseBinding[]): Step {
  return {
    title: 'Migrations',
    commands: databases.map(({ binding }) => `d1 migrations apply ${binding} --remote`),
    run: () => migrate(databases),
  }
}

interface WhoAmI {
  readonly email?: string
  readonly accounts?: readonly { readonly id: string; readonly name: string }[]
}

async function signIn({ accountId }: Deployment): Promise<string> {
  const before = await whoAmI()
  if (!before) await runWranglerInTerminal(['login']).catch(() => null)
  const user = before ?? (await whoAmI())
  if (!user) throw new CommandFailure('Nobody is signed in to Cloudflare. Run this again, or first: npx wrangler login')
  const accounts = user.accounts ?? []
  if (accounts.length > 1 && !accountId && !process.env.CLOUDFLARE_ACCOUNT_ID) {
    const lines = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id} npm run deploy    (${name})`)
    throw new CommandFailure(`There are several Cloudflare accounts. Choose one:\n${lines.join('\n')}`)
  }
  return `signed in${user.email ? ` as ${user.email}` : ''}`
}

/** Null if nobody is signed in. */
async function whoAmI(): Promise<WhoAmI | null> {
  return runWrangler(['whoami', '--json'])
    .then(JSON.parse)
    .catch(() => null)
}

/** The platform's longest retention: 14 days. */
const LONGEST_RETENTION = ['--message-retention-period-secs', '1209600']

function queueStep(queue: string, { deadLetterQueues }: Deployment): Step {
  const [create, info] = [
    ['queues', 'create', queue],
    ['queues', 'info', queue],
  ]
  const longest = deadLetterQueues.includes(queue) ? [...create, ...LONGEST_RETENTION] : null
  return {
    title: `Queue ${queue}`,
    commands: [info.join(' '), (longest ?? create).join(' ')],
    run: async () => {
      const isThere = (await runIfThere(info)) !== null
      if (isThere || !longest) return createOnce(isThere, create)
      // The free plan does not let anybody choose.
      return run(longest).then(
        () => 'created',
        async () => `${await createOnce(false, create)}, with the retention of your plan`,
      )
    },
  }
}

/** The platform chooses a database's jurisdiction when it creates it, and never changes it; objects would lose what they hold. */
function jurisdictionStep(jurisdiction: string, databases: readonly DatabaseBinding[]): Step {
  return {
    title: `Jurisdiction ${jurisdiction}`,
    commands: ['d1 list --json'],
    run: async () => {
      const there = await listDatabases()
      const made = databases.find(({ name }) => there.includes(name))
      if (made) {
        throw new CommandFailure(
          `The database ${made.name} exists already, and a jurisdiction cannot be given later. ` +
            'Export what it holds, and import it into a deployment of another name (name and database_name in wrangler.toml).',
        )
      }
      nameJurisdiction(jurisdiction)
      return 'named in wrangler.toml'
    },
  }
}

function databaseStep(name: string, jurisdiction: string | null): Step {
  const create = ['d1', 'create', name, ...(jurisdiction ? ['--jurisdiction', jurisdiction] : [])]
  return {
    title: `Database ${name}`,
    commands: ['d1 list --json', create.join(' ')],
    run: async () => createOnce((await listDatabases()).includes(name), create),
  }
}

async function listDatabases(): Promise<string[]> {
  const databases = JSON.parse(await run(['d1', 'list', '--json'])) as { name: string }[]
  return databases.map(({ name }) => name)
}

async function createOnce(isThere: boolean, create: readonly string[]): Promise<string> {
  if (isThere) return 'exists already'
  await run(create)
  return 'created'
}

function namespaceStep({ binding, title }: Namespace): Step {
  const create = ['kv', 'namespace', 'create', title]
  return {
    title: `KV namespace ${title}`,
    commands: ['kv namespace list', create.join(' ')],
    run: async ({ namespaceIds }) => {
      const known = await findNamespace(title)
      if (known) namespaceIds[binding] = known
      if (known) return 'exists already'
      const printed = await run(create)
      const id = /\bid"?\s*[:=]\s*"([0-9a-f]{32})"/.exec(printed)?.[1] ?? (await findNamespace(title))
      if (!id) throw new CommandFailure(`The KV namespace ${title} was created, but is not listed yet. Run this again.`)
      namespaceIds[binding] = id
      return 'created'
    },
  }
}

async function findNamespace(title: string): Promise<string | undefined> {
  const namespaces = JSON.parse(await run(['kv', 'namespace', 'list'])) as { id: string; title: string }[]
  return namespaces.find((namespace) => namespace.title === title)?.id
}

async function migrate(databases: readonly DatabaseBinding[]): Promise<string> {
  const outcomes: string[] = []
  for (const { binding } of databases) {
    const printed = await run(['d1', 'migrations', 'apply', binding, '--remote'])
    outcomes.push(/no migrations to apply/i.test(printed) ? 'none to apply' : 'applied')
  }
  return new Set(outcomes).size === 1 ? String(outcomes[0]) : outcomes.join(', ')
}

async function createSecret(name: string, progress: DeployProgress): Promise<string> {
  if (await hasSecret(name)) return 'exists already'
  if ((await selectAnyApplication(openDatabaseAt('remote'))).length > 0) {
    throw new CommandFailure(
      `The deployed service has no ${name}, but applications whose private keys only the old one opens. ` +
        `Put it back: npx wrangler secret put ${name}`,
    )
  }
  progress.secrets.push(newSecret(name))
  return 'created; it is shown once the Worker is deployed with it'
}

async function deploy(progress: DeployProgress): Promise<string> {
  const { secrets } = progress
  progress.address = await deployWorker(progress)
  const deployed = deployedAt(progress)
  if (secrets.length === 0) return deployed
  return `${deployed}, with a secret. Keep this in a safe place; it is shown only now, and without it no private key opens:\n\n${linesFor(process.stdout, secrets)}`
}

function deployedAt({ address }: DeployProgress): string {
  return `deployed${address ? ` at ${address}` : ''}`
}

async function createFirstAccount(plan: Plan): Promise<string> {
  const db = openDatabaseAt('remote')
  const accounts = await selectAccounts(db)
  if (accounts.length > 0) return 'exists already. Create another: npm run account -- create --name "…" --remote'
  const { accountId, apiKey } = await createAccount(db, 'First account', plan)
  const key = process.stdout.isTTY ? `API key: ${apiKey}` : `API key file: ${writeSecretFile('api-key', apiKey)}`
  return `created, with a key that opens everything and is shown only now:\n\n  Account: ${accountId}\n  ${key}\n`
}

/** Only where whoever deploys has the token: Wrangler does not show secrets. */
async function connect({ address }: DeployProgress): Promise<string> {
  const token = readBotToken()
  if (!token || !address) return 'not connected: there is no BOT_TOKEN here (see docs/notifications.md)'
  if (!(await hasSecret('BOT_TOKEN')))
    return 'not connected: first npx wrangler secret put BOT_TOKEN, then run this again'
  return `connected ${await connectBot(token, address)}`
}

const TRIES = 10
const PAUSE_MS = 3_000

/** Waits until the service is healthy: a new address takes a while to work everywhere. */
async function waitForHealth({ address }: DeployProgress): Promise<string> {
  if (!address) return 'not checked: Wrangler named no address'
  for (let tries = 1; ; tries++) {
    const problem = await healthProblem(address)
    if (problem === null) return 'ok: database and cache answer'
    if (tries === TRIES) return `not ok yet (${problem}). Look at ${address}/health in a minute`
    await sleep(PAUSE_MS)
  }
}

async function healthProblem(address: string): Promise<string | null> {
  try {
    const response = await fetch(new URL('/health', address), { signal: AbortSignal.timeout(PAUSE_MS) })
    return response.ok ? null : `it answers ${response.status}`
  } catch (error) {
    return (error as Error).message
  }
}
