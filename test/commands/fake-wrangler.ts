import { readFileSync, writeFileSync } from 'node:fs'

/** What a Cloudflare account holds, in the file that `FAKE_ACCOUNT` names. */
export interface FakeAccount {
  user: { email: string; accounts: { id: string; name: string }[] } | null
  /** Whether `wrangler login` succeeds. */
  opens: boolean
  queues: string[]
  databases: string[]
  /** The titles of the KV namespaces; each is its id, in hexadecimal. */
  namespaces: string[]
  migrated: boolean
  worker: boolean
  secrets: Record<string, string>
  applications: number
  accounts: { id: string; name: string; plan: string }[]
  /** Where the deployed service answers. */
  address: string
  /** A command that fails, by its beginning. */
  broken: string | null
  /** The part of a deployment after which it breaks off. */
  breaksAfter: 'provisioning' | 'upload' | null
  /** Whether a deployment comes to no end. */
  hangs: boolean
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
  if (call === 'kv namespace list')
    return JSON.stringify(account.namespaces.map((title) => ({ id: idOf(title), title })))
  if (call.startsWith('kv namespace create ')) return createNamespace(args[3] ?? '')
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

function idOf(title: string): string {
  return Buffer.from(title).toString('hex').padEnd(32, '0')
}

function createNamespace(title: string): string {
  if (account.namespaces.includes(title))
    fail('a namespace with this account ID and title already exists [code: 10014]')
  account.namespaces.push(title)
  return `✨ Success!\nTo access your new KV Namespace in your Worker, add the following snippet:\n[[kv_namespaces]]\nbinding = "mauve_cache"\nid = "${idOf(title)}"`
}

function deploy(): string {
  const config = optionOf('--config')
  // wrangler.toml itself names no ids.
  const namespaces = config ? JSON.parse(readFileSync(config, 'utf8')).kv_namespaces : [{}]
  if (args.includes('--dry-run')) return '--dry-run: exiting now.'
  for (const { id } of namespaces) provision(id)
  if (account.breaksAfter === 'provisioning') fail('✘ [ERROR] The upload failed.')
  if (account.hangs) hang()
  const file = optionOf('--secrets-file')
  const [name = '', ...value] = file ? readFileSync(file, 'utf8').trim().split('=') : []
  if (file) account.secrets[name] = value.join('=')
  if (!account.secrets.KEY_SEALING_SECRET) fail('The following required secrets have not been set: KEY_SEALING_SECRET')
  account.worker = true
  if (account.breaksAfter === 'upload') fail('✘ [ERROR] The triggers failed.')
  return `Uploaded mauve (1.2 sec)\nDeployed mauve triggers (0.3 sec)\n  ${account.address}\n  Producer for mauve-events`
}

function optionOf(name: string): string {
  return args.includes(name) ? (args[args.indexOf(name) + 1] ?? '') : ''
}

/** Wrangler makes a namespace that has no id, unless the Worker has one by this binding. */
function provision(id: string | undefined): void {
  if (id && !account.namespaces.some((title) => idOf(title) === id)) fail(`KV namespace '${id}' not found.`)
  if (!id && !account.worker) createNamespace('mauve-cache')
}

function hang(): void {
  writeFileSync(FILE, JSON.stringify(account))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000)
}
