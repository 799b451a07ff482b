import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What a Cloudflare account holds, in the file that `FAKE_ACCOUNT` names. */
export interface FakeAccount {
  user: { email: string; accounts: { id: string; name: string }[] } | null
  /** Whether `wrangler login` succeeds. */
  opens: boolean
  queues: string[]
  databases: string[]
  migrated: boolean
  worker: boolean
  secrets: Record<string, string>
  applications: number
  accounts: { id: string; name: string; plan: string }[]
  /** Where the deployed service answers. */
  address: string
  /** A command that fails, by its beginning. */
  broken: string | null
  /** Every command, as it was called. */
  calls: string[]
}

const FILE = process.env.FAKE_ACCOUNT ?? ''
const account: FakeAccount = JSON.parse(readFileSync(FILE, 'utf8'))
const args = process.argv.slice(2)
const call = args.join(' ')

account.calls.push(call)
try {
  if (account.broken && call.startsWith(account.broken)) fail('✘ [ERROR] The platform is having a bad day.')
  const answer = answerTo(call)
  if (answer) console.log(answer)
} finally {
  writeFileSync(FILE, JSON.stringify(account))
}

function answerTo(call: string): string {
  if (call === 'whoami --json') return account.user ? JSON.stringify(account.user) : fail('{"loggedIn":false}')
  if (call === 'login') return login()
  if (call.startsWith('queues info ')) return findQueue(args[2] ?? '')
  if (call.startsWith('queues create ')) return add(account.queues, args[2] ?? '')
  if (call === 'd1 list --json') return JSON.stringify(account.databases.map((name) => ({ uuid: 'x', name })))
  if (call.startsWith('d1 create ')) return add(account.databases, args[2] ?? '')
  if (call === 'd1 migrations apply DB --remote') return migrate()
  if (call.startsWith('d1 execute DB --remote --json --yes --command ')) return execute(args.at(-1) ?? '')
  if (call === 'secret list') return listSecrets()
  if (args[0] === 'deploy') return deploy()
  return fail(`Unknown command: ${call}`)
}

function fail(message: string): never {
  process.exitCode = 1
  writeFileSync(FILE, JSON.stringify(account))
  console.error(message)
  process.exit(1)
}

function login(): string {
  if (!account.opens) fail('Login was refused')
  account.user = { email: 'lemon@example.org', accounts: [{ id: 'a1', name: 'Lemon' }] }
  return 'Successfully logged in.'
}

function findQueue(name: string): string {
  return account.queues.includes(name) ? `Queue Name: ${name}` : fail(`Queue "${name}" does not exist. To create it, …`)
}

function add(list: string[], name: string): string {
  if (list.includes(name)) fail(`${name} is there already`)
  list.push(name)
  return `Created ${name}`
}

function migrate(): string {
  if (account.databases.length === 0) fail("Couldn't find a D1 DB")
  const [before] = [account.migrated]
  account.migrated = true
  return before ? 'No migrations to apply!' : '0000_init.sql ✅'
}

function execute(text: string): string {
  if (!account.migrated) fail('no such table: accounts')
  const created = /insert into "accounts" .*?values \('([^']*)', '([^']*)', '([^']*)'/.exec(text)
  if (created) account.accounts.push({ id: created[1] ?? '', name: created[2] ?? '', plan: created[3] ?? '' })
  const rows = text.includes('from "applications"')
    ? Array.from({ length: Math.min(account.applications, 1) }, (_, id) => ({ id }))
    : account.accounts.map((row) => ({ ...row, created_at: 0 }))
  const answers = text.startsWith('select') ? [{ results: rows }] : [{ results: [] }, { results: [] }]
  return JSON.stringify(answers)
}

function listSecrets(): string {
  if (!account.worker) fail('✘ [ERROR] Worker "mauve" not found.')
  return JSON.stringify(Object.keys(account.secrets).map((name) => ({ name, type: 'secret_text' })))
}

function deploy(): string {
  if (args.includes('--dry-run')) return '--dry-run: exiting now.'
  const file = args[args.indexOf('--secrets-file') + 1]
  if (args.includes('--secrets-file') && file && existsSync(file)) {
    const [name = '', ...value] = readFileSync(file, 'utf8').trim().split('=')
    account.secrets[name] = value.join('=')
  }
  if (!account.secrets.KEY_SEALING_SECRET) fail('The following required secrets have not been set: KEY_SEALING_SECRET')
  account.worker = true
  return `Uploaded mauve (1.2 sec)\nDeployed mauve triggers (0.3 sec)\n  ${account.address}\n  Producer for mauve-events`
}
