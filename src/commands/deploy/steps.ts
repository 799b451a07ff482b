import { selectAnyApplication } from '../../accounts/applications/sql.ts'
import { selectAccounts } from '../../accounts/sql.ts'
import { createAccount, type Plan } from '../accounts.ts'
import { openDatabaseAt } from '../database.ts'
import type { DatabaseBinding, Deployment, Namespace } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import { writeSecretFile } from '../private-files.ts'
import { runWrangler, runWranglerInTerminal } from '../wrangler.ts'
import { waitForHealth } from './health.ts'
import { findOrCreate, LIST as LIST_NAMESPACES } from './namespaces.ts'
import { run, runIfThere } from './run.ts'
import { hasSecret, LIST as LIST_SECRETS, linesFor, newSecret, type Secret } from './secret.ts'
import { deployWorker } from './worker.ts'

/** What the steps leave for those after them. */
export interface DeployProgress {
  /** Those that the Worker gets when it is deployed. */
  readonly secrets: Secret[]
  /** By binding. */
  readonly namespaceIds: Record<string, string>
  address: string | null
}

/** One step of a deployment. Done twice it does nothing the second time. */
export interface Step {
  readonly title: string
  /** What it asks of Wrangler, for people to read. */
  readonly commands: readonly string[]
  /** Returns what was done, as lines. */
  readonly run: (progress: DeployProgress) => Promise<string>
}

/**
 * From nothing to a service that answers, in this order: on an update the database has its new columns before the new code
 * asks for them, and a secret is never made where an older one seals private keys already.
 */
export function stepsOf(deployment: Deployment): Step[] {
  const { databases, queues } = deployment
  return [
    { title: 'Signing in', commands: ['whoami --json', 'login'], run: () => signIn(deployment) },
    ...queues.map((queue) => queueStep(queue, deployment)),
    ...databases.map(({ name }) => ({
      title: `Database ${name}`,
      commands: ['d1 list --json', `d1 create ${name}`],
      run: () => createDatabase(name),
    })),
    ...deployment.namespaces.map(namespaceStep),
    {
      title: 'Migrations',
      commands: databases.map(({ binding }) => `d1 migrations apply ${binding} --remote`),
      run: () => migrate(databases),
    },
    ...deployment.secrets.map((name) => ({
      title: `Secret ${name}`,
      commands: [LIST_SECRETS.join(' '), '(32 random bytes, handed to the next step in a file that is deleted then)'],
      run: (progress: DeployProgress) => makeSecret(name, progress),
    })),
    { title: 'Worker', commands: ['deploy --config FILE [--secrets-file FILE]'], run: deploy },
    {
      title: 'First account',
      commands: ['d1 execute DB --remote --command "select … insert …"'],
      run: () => createFirstAccount(deployment.defaultPlan as Plan),
    },
    { title: 'Health', commands: ['(GET ADDRESS/health)'], run: waitForHealth },
  ]
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
    throw new CommandFailure(`There are several Cloudflare accounts. Say which one is meant:\n${lines.join('\n')}`)
  }
  return `signed in${user.email ? ` as ${user.email}` : ''}`
}

/** It fails where nobody is signed in. */
async function whoAmI(): Promise<WhoAmI | null> {
  try {
    return JSON.parse(await runWrangler(['whoami', '--json']))
  } catch {
    return null
  }
}

/** A dead letter is kept for as long as the platform keeps any. */
const LONGEST_RETENTION = ['--message-retention-period-secs', '1209600']

function queueStep(queue: string, { deadLetterQueues }: Deployment): Step {
  const create = ['queues', 'create', queue, ...(deadLetterQueues.includes(queue) ? LONGEST_RETENTION : [])]
  const info = ['queues', 'info', queue]
  return {
    title: `Queue ${queue}`,
    commands: [info.join(' '), create.join(' ')],
    run: async () => {
      if ((await runIfThere(info)) !== null) return 'exists already'
      await run(create)
      return 'created'
    },
  }
}

async function createDatabase(name: string): Promise<string> {
  const databases = JSON.parse(await run(['d1', 'list', '--json'])) as { name: string }[]
  if (databases.some((database) => database.name === name)) return 'exists already'
  await run(['d1', 'create', name])
  return 'created'
}

function namespaceStep({ binding, title }: Namespace): Step {
  return {
    title: `KV namespace ${title}`,
    commands: [LIST_NAMESPACES.join(' '), `kv namespace create ${title}`],
    run: async ({ namespaceIds }) => {
      const { id, isNew } = await findOrCreate(title)
      namespaceIds[binding] = id
      return isNew ? 'created' : 'exists already'
    },
  }
}

async function migrate(databases: readonly DatabaseBinding[]): Promise<string> {
  const outcomes: string[] = []
  for (const { binding } of databases) {
    const printed = await run(['d1', 'migrations', 'apply', binding, '--remote'])
    outcomes.push(/no migrations to apply/i.test(printed) ? 'none to apply' : 'applied')
  }
  return outcomes.every((outcome) => outcome === outcomes[0]) ? (outcomes[0] ?? '') : outcomes.join(', ')
}

async function makeSecret(name: string, progress: DeployProgress): Promise<string> {
  if (await hasSecret(name)) return 'exists already'
  if ((await selectAnyApplication(openDatabaseAt('remote'))).length > 0) {
    throw new CommandFailure(
      `The deployed service has no ${name}, but applications whose private keys only the old one opens. ` +
        `Put it back: npx wrangler secret put ${name}`,
    )
  }
  progress.secrets.push(newSecret(name))
  return 'made; it is told once the Worker is deployed with it'
}

async function deploy(progress: DeployProgress): Promise<string> {
  const { secrets } = progress
  progress.address = await deployWorker(progress)
  const deployed = `deployed${progress.address ? ` at ${progress.address}` : ''}`
  if (secrets.length === 0) return deployed
  return `${deployed}, with a secret. Keep this in a safe place; it is told only now, and without it no private key opens:\n\n${linesFor(process.stdout, secrets)}`
}

async function createFirstAccount(plan: Plan): Promise<string> {
  const db = openDatabaseAt('remote')
  const accounts = await selectAccounts(db)
  if (accounts.length > 0) return 'exists already. More of them: npm run account -- create --name "…" --remote'
  const { accountId, apiKey } = await createAccount(db, 'First account', plan)
  const key = process.stdout.isTTY ? `API key: ${apiKey}` : `API key file: ${writeSecretFile('api-key', apiKey)}`
  return `created, with a key that opens everything and is told only now:\n\n  Account: ${accountId}\n  ${key}\n`
}
