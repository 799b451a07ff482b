import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { botWebhookOf } from '../../src/notifications/bot/secrets.ts'
import {
  addressOf,
  expectFailure,
  newState,
  type Outcome,
  type Running,
  readSecret,
  removeState,
  runHere,
  setVariables,
  startCommand,
  startInTerminal,
} from './command.ts'
import type { FakeAccount } from './fake-wrangler.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const KEY = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/m
const SECRET = /^ {2}KEY_SEALING_SECRET=([A-Za-z0-9+/]{43}=)$/m
/** The lines in place of secrets if the output is no terminal. */
const KEY_FILE = /^ {2}API key file: (.+)$/m
const SECRET_FILE = /^ {2}KEY_SEALING_SECRET file: (.+)$/m

let folder: string
let file: string
let server: Server
let address: string
let command: (args: string[]) => Promise<void>

beforeAll(async () => {
  folder = await newState()
  file = join(folder, 'account.json')
  setVariables(variables())
  // Loaded only now: it reads the variables.
  command = (await import('../../src/commands/deploy/deploy.ts')).deploy
  server = createServer((_, response) => response.end('{"status":"ok"}'))
  address = await addressOf(server)
})

afterAll(async () => {
  server.close()
  await removeState(folder)
})

const EMPTY: Omit<FakeAccount, 'address'> = {
  user: { email: 'lemon@example.org', accounts: [{ id: 'a1', name: 'Lemon' }] },
  opens: true,
  queues: [],
  databases: [],
  namespaces: [],
  migrated: false,
  worker: false,
  secrets: {},
  applications: 0,
  accounts: [],
  broken: null,
  breaksAfter: null,
  hangs: false,
  calls: [],
}

function setAccount(changes: Partial<FakeAccount> = {}): void {
  writeFileSync(file, JSON.stringify({ ...EMPTY, address, ...changes }))
}

function account(): FakeAccount {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function variables(): Record<string, string> {
  const wrangler = join(import.meta.dirname, 'fake-wrangler.ts')
  return { MAUVE_WRANGLER: wrangler, FAKE_ACCOUNT: file, MAUVE_STATE: folder }
}

function deploy(...args: string[]): Promise<Outcome> {
  return runHere(() => command(args))
}

/** Starts a deployment in a process of its own, for tests of how it is ended and spoken to. */
function startDeployment(start = startCommand): Running {
  return start('deploy', [], variables())
}

/** The secret that the output names a file of, which must be the one that the Worker got. */
function expectSecretTold(output: string): void {
  const [, path = ''] = SECRET_FILE.exec(output) ?? []
  expect(readSecret(path)).toBe(`KEY_SEALING_SECRET=${account().secrets.KEY_SEALING_SECRET}`)
}

/** The configuration, and the secret where there is a new one. */
function filesHandedOver(): string[] {
  const deployed = account().calls.find((call) => call.startsWith('deploy')) ?? ''
  return [...deployed.matchAll(/--(?:config|secrets-file) (\S+)/g)].map(([, path]) => path ?? '')
}

function expectNothingLeft(): void {
  expect(filesHandedOver()).toHaveLength(2)
  expect(filesHandedOver().filter(existsSync)).toEqual([])
}

beforeEach(() => setAccount())

describe('a deployment', () => {
  it('a first deployment makes everything, in an order that works, and leaves secrets only in the files it names', async () => {
    const { code, stdout, stderr } = await startDeployment().ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { calls, secrets, accounts } = account()
    expect(
      calls.map((call) => call.replace(/ --command .*/s, '').replace(/(--config|--secrets-file) \S+/g, '$1')),
    ).toEqual([
      'whoami --json',
      'queues info mauve-events',
      'queues create mauve-events',
      'queues info mauve-dead-letters',
      'queues create mauve-dead-letters --message-retention-period-secs 1209600',
      'queues info mauve-notifications',
      'queues create mauve-notifications',
      'd1 list --json',
      'd1 create mauve',
      'kv namespace list',
      'kv namespace create mauve-cache',
      'd1 migrations apply DB --remote',
      'secret list',
      'd1 execute DB --remote --json --yes',
      'deploy --config --secrets-file',
      'd1 execute DB --remote --json --yes',
      'd1 execute DB --remote --json --yes',
    ])
    expectSecretTold(stdout)
    expectNothingLeft()
    for (const told of [stdout, calls.join()]) expect(told).not.toContain(secrets.KEY_SEALING_SECRET)
    expect(accounts).toMatchObject([{ name: 'First account', plan: 'enterprise' }])
    expect(readSecret(KEY_FILE.exec(stdout)?.[1] ?? '')).toMatch(KEY)
    expect(stdout).toContain(`Account: ${accounts[0]?.id}`)
    expect(stdout.split('\n').filter((line) => /^\d/.test(line))).toEqual([
      '1. Signing in …',
      '2. Queue mauve-events …',
      '3. Queue mauve-dead-letters …',
      '4. Queue mauve-notifications …',
      '5. Database mauve …',
      '6. KV namespace mauve-cache …',
      '7. Migrations …',
      '8. Secret KEY_SEALING_SECRET …',
      '9. Worker …',
      '10. First account …',
      '11. Health …',
      '12. Bot …',
    ])
    expect(stdout).toContain(`deployed at ${address}`)
    expect(stdout).toContain('ok: database and cache answer')
  })

  it('done again changes nothing but the Worker', async () => {
    await deploy()
    const first = account()
    setAccount({ ...first, calls: [] })
    const { code, stdout } = await deploy()
    expect(code).toBe(0)
    expect({ ...account(), calls: [] }).toEqual({ ...first, calls: [] })
    const changing = account().calls.filter((call) => /\b(create|deploy|insert|migrations)\b/.test(call))
    expect(changing).toEqual(['d1 migrations apply DB --remote', expect.stringMatching(/^deploy --config \S+$/)])
    expect(stdout).not.toMatch(SECRET_FILE)
    expect(stdout).not.toMatch(KEY_FILE)
    expect(stdout.match(/exists already/g)).toHaveLength(7)
  })

  it('connects the bot where its token is there and the Worker has it', async () => {
    const asked: { url: string; body: Record<string, unknown> }[] = []
    vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
      if (String(input).endsWith('/health')) return Response.json({ status: 'ok' })
      asked.push({ url: String(input), body: JSON.parse(String(init.body ?? '{}')) })
      return Response.json({ ok: true, result: { username: 'lemon_bot' } })
    })
    vi.stubEnv('BOT_TOKEN', '4711:token')
    expect((await deploy()).stdout).toContain('not connected: first npx wrangler secret put BOT_TOKEN')
    const secrets = { ...account().secrets, BOT_TOKEN: '4711:token' }
    setAccount({ ...account(), secrets, address: 'https://mauve.example.org' })
    const { stdout } = await deploy()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    expect(stdout).toContain('connected @lemon_bot')
    expect(stdout).not.toContain('4711:token')
    const { path, secret } = botWebhookOf('4711:token')
    expect(asked[0]).toEqual({
      url: 'https://api.telegram.org/bot4711:token/setWebhook',
      body: {
        url: `https://mauve.example.org${path}`,
        secret_token: secret,
        allowed_updates: ['message', 'channel_post'],
      },
    })
  })

  it('takes the retention of a plan that lets nobody choose', async () => {
    const broken = 'queues create mauve-dead-letters --message-retention'
    setAccount({ broken })
    const { code, stdout } = await deploy()
    expect([code, stdout]).toEqual([0, expect.stringContaining('created, with the retention of your plan')])
    expect(account().queues).toContain('mauve-dead-letters')
  })

  it('continues where it broke off', async () => {
    setAccount({ broken: 'deploy' })
    expectFailure(await deploy(), 'The platform is having a bad day.')
    expectNothingLeft()
    setAccount({ ...account(), broken: null })
    expect(await deploy()).toMatchObject({ code: 0, stdout: expect.stringMatching(KEY_FILE) })
  })

  it('continues where the namespace was made and the Worker was not', async () => {
    setAccount({ breaksAfter: 'provisioning' })
    const broken = await deploy()
    expectFailure(broken, 'The new KEY_SEALING_SECRET was not used; the next run creates another.')
    expect(broken.stdout + broken.stderr).not.toMatch(SECRET_FILE)
    expect(account()).toMatchObject({ namespaces: ['mauve-cache'], worker: false })
    setAccount({ ...account(), breaksAfter: null })
    const { code, stdout } = await deploy()
    expect({ code, namespaces: account().namespaces }).toEqual({ code: 0, namespaces: ['mauve-cache'] })
    expectSecretTold(stdout)
  })

  it('names the secret if the Worker got it before something failed', async () => {
    setAccount({ breaksAfter: 'upload' })
    const broken = await deploy()
    expectFailure(broken, 'The Worker has its new secret already')
    expectSecretTold(broken.stderr)
    setAccount({ ...account(), breaksAfter: null })
    expect(await deploy()).toMatchObject({ code: 0, stdout: expect.stringMatching(KEY_FILE) })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no file behind where %s ends it', async (signal) => {
    setAccount({ hangs: true })
    const { process: started, ended } = startDeployment()
    await vi.waitFor(() => expect(filesHandedOver().filter(existsSync)).toHaveLength(2), { timeout: 60_000 })
    process.kill(-(started.pid ?? 0), signal)
    const { code, stdout, stderr } = await ended
    expect({ code, stdout }).toEqual({
      code: signal === 'SIGINT' ? 130 : 143,
      stdout: expect.not.stringMatching(SECRET_FILE),
    })
    expect(stderr).toMatch('Interrupted. If the Worker was deployed nevertheless, keep this')
    expect(readSecret(SECRET_FILE.exec(stderr)?.[1] ?? '')).toMatch(/^KEY_SEALING_SECRET=/)
    expectNothingLeft()
  })

  it('signs a person at a terminal in, and shows secret and key there', async () => {
    setAccount({ user: null })
    const { code, stdout } = await startDeployment(startInTerminal).ended
    expect(code).toBe(0)
    expect(SECRET.exec(stdout)?.[1]).toBe(account().secrets.KEY_SEALING_SECRET)
    expect(/^ {2}API key: (.+)$/m.exec(stdout)?.[1]).toMatch(KEY)
    expect(stdout).toContain('signed in as lemon@example.org')
    expect(account().calls.slice(0, 3)).toEqual(['whoami --json', 'login', 'whoami --json'])
  })
})

describe("in the platform's own build", () => {
  beforeEach(() => void vi.stubEnv('WORKERS_CI', '1'))
  afterEach(() => void vi.unstubAllEnvs())

  const BUTTON = { databases: ['chosen-name'], secrets: { KEY_SEALING_SECRET: 'chosen', SETUP_SECRET: 'chosen' } }

  it('migrates by binding and deploys; it signs nobody in and creates nothing', async () => {
    setAccount({ ...BUTTON, user: null })
    const { code, stdout, stderr } = await deploy()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(account().calls.map((call) => call.replace(/ --command .*/s, ''))).toEqual([
      'd1 migrations apply DB --remote',
      'deploy',
      'd1 execute DB --remote --json --yes',
    ])
    expect(stdout).toContain(`open ${address}/setup and enter your SETUP_SECRET there`)
    expect(account()).toMatchObject({ ...BUTTON, queues: [], accounts: [] })
  })

  it('does not mention the setup once there is an account', async () => {
    setAccount({ ...BUTTON, migrated: true, worker: true, accounts: [{ id: 'a', name: 'Lemon', plan: 'standard' }] })
    const { code, stdout } = await deploy()
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('/setup')])
  })

  it('fails with what Wrangler said, and takes no options', async () => {
    setAccount({ ...BUTTON, secrets: {} })
    expectFailure(await deploy(), 'The following required secrets have not been set: KEY_SEALING_SECRET')
    expectFailure(await deploy('--databases', '2'), 'A build of the platform takes no options.')
  })
})

describe('a deployment that cannot be', () => {
  it('says that nobody is signed in', async () => {
    setAccount({ user: null, opens: false })
    // What signs people in has the terminal, or what stands in its place.
    const outcome = await startDeployment().ended
    expect(outcome.stderr).toContain('Nobody is signed in to Cloudflare.')
    expect(outcome.code).toBe(1)
  })

  it('asks which of several accounts is meant', async () => {
    const accounts = ['a1', 'a2'].map((id) => ({ id, name: `Lemon ${id}` }))
    setAccount({ user: { email: 'lemon@example.org', accounts } })
    const outcome = await deploy()
    expectFailure(outcome, 'There are several Cloudflare accounts.')
    expect(outcome.stderr).toContain('CLOUDFLARE_ACCOUNT_ID=a2 npm run deploy')
    expect(account().calls).toEqual(['whoami --json'])
  })

  it('makes no new secret where an old one seals private keys', async () => {
    setAccount({ worker: true, databases: ['mauve'], migrated: true, applications: 3 })
    expectFailure(await deploy(), 'Put it back: npx wrangler secret put KEY_SEALING_SECRET')
    expect(account().secrets).toEqual({})
  })

  it.each([
    'queues info',
    'queues create',
    'd1 list',
    'd1 create',
    'kv namespace list',
    'kv namespace create',
    'd1 migrations',
    'secret list',
    'd1 execute',
  ])('says what Wrangler said where "%s" fails', async (broken) => {
    setAccount({ broken })
    expectFailure(await deploy(), 'The platform is having a bad day.')
    expect(account().worker).toBe(false)
  })

  it('knows its options', async () => expectFailure(await deploy('--force'), 'There is no option --force.'))
})

it('--dry-run shows the steps and their commands, and asks nothing of anybody', async () => {
  setAccount({ user: null })
  const { code, stdout, stderr } = await deploy('--dry-run')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(account().calls).toEqual([expect.stringMatching(/^deploy --dry-run --config \S+$/)])
  expect(stdout).toContain('     wrangler queues create mauve-events\n')
  expect(stdout).toContain('11. Health')
  expect(stdout).toContain('Nothing was changed.')
})

it('a deployment with several databases makes and migrates each', async () => {
  const config = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
  const { stdout } = await deploy('--databases', '3', '--dry-run')
  for (const name of ['mauve', 'mauve-2', 'mauve-3']) expect(stdout).toContain(`     wrangler d1 create ${name}\n`)
  const migrations = stdout.split('\n').filter((line) => line.includes('migrations apply'))
  expect(migrations.map((line) => line.split(' ').at(-2))).toEqual(['DB', 'ACTIVITY_2', 'ACTIVITY_3'])
  expect(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')).toBe(config)
  for (const wrong of ['0', 'three', '1000']) {
    expectFailure(await deploy('--databases', wrong, '--dry-run'), 'must be a number from 1 to 64')
  }
})

it('a jurisdiction is where databases are made, and no existing deployment gets one', async () => {
  const { stdout } = await deploy('--jurisdiction', 'eu', '--databases', '2', '--dry-run')
  for (const name of ['mauve', 'mauve-2'])
    expect(stdout).toContain(`     wrangler d1 create ${name} --jurisdiction eu\n`)
  expectFailure(await deploy('--jurisdiction', 'moon', '--dry-run'), 'must be one of eu, us, fedramp')
  const config = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
  setAccount({ databases: ['mauve'] })
  expectFailure(await deploy('--jurisdiction', 'eu'), 'The database mauve exists already')
  expect(account().calls).toEqual(['whoami --json', 'd1 list --json'])
  expect(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')).toBe(config)
})
