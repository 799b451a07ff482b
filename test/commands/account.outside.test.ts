import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { toTable } from '../../src/commands/terminal.ts'
import { botWebhookOf } from '../../src/notifications/bot/secrets.ts'
import {
  createDatabase,
  expectFailure,
  newState,
  type Outcome,
  readSecret,
  removeState,
  runHere,
  setVariables,
  startCommand,
  startInTerminal,
} from './command.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Two accounts with an application each, as they are after a registration. */
const LEMON = { account: randomUUID(), project: randomUUID(), handle: 'Lemon_Shop' }
const PEAR = { account: randomUUID(), project: randomUUID(), handle: 'pear_shop' }

const ROOT = join(import.meta.dirname, '..', '..')
/** The folder where Miniflare keeps databases. */
const DATABASES = ['state', 'v3', 'd1', 'miniflare-D1DatabaseObject']
/** What it calls the file of the database `DB`. */
const FILE = 'e7352547963de7050bd7d94658afc4fe78b61811b7815da12d90be8e863abf4d.sqlite'

let state: string
let file: string
let account: (args: string[]) => Promise<void>

beforeAll(async () => {
  state = await newState()
  file = join(state, ...DATABASES, FILE)
  const db = createDatabase(file)
  db.exec([insertionOf(LEMON), insertionOf(PEAR)].join(';'))
  db.close()
  setVariables({ MAUVE_STATE: state })
  // Loaded only now: it reads the variables.
  account = (await import('../../src/commands/account/account.ts')).account
})

afterAll(() => removeState(state))

function insertionOf({ account, project, handle }: typeof LEMON): string {
  return `insert into accounts (id, name, plan, created_at) values ('${account}', '${handle}', 'enterprise', 0);
    insert into applications (project_id, account_id, handle, name, link, description, photo_url, public_key,
      sealed_private_key, capture, created_at)
    values ('${project}', '${account}', '${handle}', 'Shop', 'https://t.me/shop', '', 'x', 'x', 'x', '{}', 0)`
}

function run(...args: string[]): Promise<Outcome> {
  return runHere(() => account(args))
}

function spawn(args: string[], { folder = state } = {}): Promise<Outcome> {
  return startCommand('account', args, { MAUVE_STATE: folder }).ended
}

/** Runs a command with `--json`; expects nothing but JSON and no error. */
async function ask<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

interface Issued {
  readonly accountId: string
  /** Not the key itself: the answer goes to no terminal. */
  readonly apiKeyFile: string
}

describe('create and list', () => {
  const quotes = `O'Hara "& Sons"; drop table accounts; -- ? ?1 $& \\ %`
  const emoji = '🍋 レモン\n株式会社'

  it('gives the account, a file with its key, and the plan that wrangler.toml names', async () => {
    const { code, stdout, stderr } = await spawn(['create', '--json', '--name', quotes])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const created: Issued = JSON.parse(stdout)
    const [, plan] = /^DEFAULT_PLAN = "(.*)"/m.exec(await readFile(join(ROOT, 'wrangler.toml'), 'utf8')) ?? []
    expect(created).toEqual({ accountId: expect.stringMatching(UUID), apiKeyFile: expect.any(String), plan })
    expect(readSecret(created.apiKeyFile)).toMatch(KEY)
  })

  it('takes another plan, and answers people at a terminal in lines, with the key', async () => {
    const args = ['create', '--plan=standard', '--name', `  ${emoji}  `]
    const { code, stdout, stderr } = await startInTerminal('account', args, { MAUVE_STATE: state }).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [account, key, ...rest] = stdout.split('\n')
    expect(account?.replace(/^Account: /, '')).toMatch(UUID)
    expect(key?.replace(/^API key: /, '')).toMatch(KEY)
    expect(rest).toEqual(['Plan: standard', ''])
  })

  it('keeps every name as it was given, oldest account first', async () => {
    const accounts = await ask<Record<string, string>[]>('list')
    const forPeople = await run('list')
    expect(accounts.slice(-2)).toEqual([
      { id: expect.stringMatching(UUID), name: quotes, plan: 'enterprise', created: expect.stringMatching(ISO) },
      { id: expect.stringMatching(UUID), name: emoji, plan: 'standard', created: expect.stringMatching(ISO) },
    ])
    expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining([LEMON.account, PEAR.account]))
    const [heading, ...lines] = forPeople.stdout.trimEnd().split('\n')
    expect(heading?.split(/ {2,}/)).toEqual(['ID', 'PLAN', 'CREATED', 'NAME'])
    expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual(accounts.map(({ id }) => id))
    expect(new Set(lines.map((line) => line.indexOf('Z  '))).size).toBe(1)
  })

  it('another plan is given to one account, and to no other', async () => {
    const answer = await ask('set-plan', '--account', PEAR.account, '--plan', 'standard')
    expect(answer).toEqual({ accountId: PEAR.account, plan: 'standard', note: expect.stringContaining('90 seconds') })
    const accounts = await ask<Record<string, string>[]>('list')
    const plans = new Map(accounts.map(({ id, plan }) => [id, plan]))
    expect([plans.get(PEAR.account), plans.get(LEMON.account)]).toEqual(['standard', 'enterprise'])
    const nobody = await run('set-plan', '--account', 'nobody', '--plan', 'standard')
    expectFailure(nobody, 'There is no account nobody. List them: npm run account -- list')
  })
})

describe('keys', () => {
  let full: string
  let client: string

  it('are issued for an application, by its handle in any case', async () => {
    const byHandle = await ask<Issued>('issue-key', '--account', LEMON.account, '--application', '@lemon_SHOP')
    expect(byHandle).toEqual({ accountId: LEMON.account, apiKeyFile: expect.any(String), scope: 'full' })
    full = readSecret(byHandle.apiKeyFile)
    expect(full).toMatch(KEY)
  })

  it('are issued by a project id, and shown on request', async () => {
    const args = ['--application', LEMON.project, '--scope', 'client', '--name', ' Shop page ', '--show-secrets']
    const issued = await ask<{ apiKey: string }>('issue-key', '--account', LEMON.account, ...args)
    expect(issued).toEqual({ accountId: LEMON.account, apiKey: expect.stringMatching(KEY), scope: 'client' })
    client = issued.apiKey
  })

  it('are not issued for unknown applications, or those of another account', async () => {
    const unknown = await run('issue-key', '--account', LEMON.account, '--application', 'plum_shop')
    const foreign = await run('issue-key', '--account', LEMON.account, '--application', PEAR.project)
    const nobody = await run('issue-key', '--account', "x' or '1'='1")
    expectFailure(unknown, 'This account has no application plum_shop. It has: Lemon_Shop.')
    expectFailure(foreign, `This account has no application ${PEAR.project}. It has: Lemon_Shop.`)
    expectFailure(nobody, "There is no account x' or '1'='1. List them: npm run account -- list")
  })

  it('keys for reading open all applications of their account, or one', async () => {
    const issueFor = async (...args: string[]) => {
      const { apiKeyFile } = await ask<Issued>('issue-key', '--account', PEAR.account, '--scope', 'read', ...args)
      return idOf(readSecret(apiKeyFile))
    }
    const [all, one] = [await issueFor(), await issueFor('--application', PEAR.handle, '--persons')]
    const { keys } = await ask<{ keys: { id: string; scope: string; persons: boolean; application: unknown }[] }>(
      'keys',
      `--account=${PEAR.account}`,
    )
    const found = new Map(keys.map(({ id, scope, persons, application }) => [id, `${scope} ${application} ${persons}`]))
    expect([found.get(all), found.get(one)]).toEqual(['read null false', 'read pear_shop true'])
    const page = await run('issue-key', '--account', PEAR.account, '--scope', 'client', '--persons')
    expectFailure(page, 'Keys of scope client do not take --persons.')
  })

  it('are revoked by themselves or by their id', async () => {
    const byKey = await run('revoke-key', full)
    expect(byKey).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`…${full.slice(-4)}`) })
    const answer = await ask('revoke-key', idOf(client))
    expect(answer).toEqual({ revoked: `…${client.slice(-4)}`, note: expect.stringContaining('90 seconds') })
  })

  it('cannot be revoked twice, or if they do not exist', async () => {
    for (const key of [full, `${full}' or '1'='1`]) {
      expectFailure(await run('revoke-key', key), 'There is no such key, or it was revoked already.')
    }
  })

  it('are listed with their purpose, without the key itself', async () => {
    const { keys, applications } = await ask<{ keys: unknown[]; applications: unknown[] }>(
      'keys',
      `--account=${LEMON.account}`,
      '--all',
    )
    const common = {
      application: 'Lemon_Shop',
      created: expect.stringMatching(ISO),
      used: null,
      revoked: expect.stringMatching(ISO),
    }
    expect(keys).toEqual([
      { id: idOf(client), key: `…${client.slice(-4)}`, scope: 'client', persons: false, name: 'Shop page', ...common },
      { id: idOf(full), key: `…${full.slice(-4)}`, scope: 'full', persons: true, name: '', ...common },
    ])
    const { project: projectId, handle } = LEMON
    expect(applications).toEqual([{ projectId, application: handle, name: 'Shop' }])
  })
})

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

describe('sign-in links', () => {
  const TOKEN = /^[\w-]{43}$/

  it('are of one account, and are written to a file if the output is no terminal', async () => {
    const { signInLinkFile, ...rest } = await ask<Record<string, string>>('sign-in', '--account', LEMON.account)
    expect(rest).toEqual({ accountId: LEMON.account, note: expect.stringContaining('ten minutes') })
    const link = new URL(readSecret(signInLinkFile as string))
    expect(link.origin + link.pathname).toBe('http://localhost:8787/sign-in')
    expectLinkOf(LEMON.account, link)
  })

  it('name the address that is given, and are shown on request', async () => {
    const args = ['--account', PEAR.account, '--address', 'https://mauve.example/x', '--show-secrets']
    const { signInLink } = await ask<Record<string, string>>('sign-in', ...args)
    expect(signInLink?.startsWith('https://mauve.example/sign-in?token=')).toBe(true)
    expectLinkOf(PEAR.account, new URL(signInLink as string))
  })

  it('are made for an account and an address that there are', async () => {
    expectFailure(await run('sign-in', '--account', 'nobody'), 'There is no account nobody.')
    for (const address of ['mauve.example', 'javascript:alert(1)']) {
      const outcome = await run('sign-in', '--account', LEMON.account, '--address', address)
      expectFailure(outcome, `--address is "${address}"`)
    }
  })

  function expectLinkOf(account: string, { searchParams }: URL): void {
    const token = searchParams.get('token') ?? ''
    expect(TOKEN.test(token)).toBe(true)
    const hash = createHash('sha256').update(token).digest('hex')
    const [found] = readDatabase(`select account_id, expires_at from sign_in_links where hash = '${hash}'`) as [
      { account_id: string; expires_at: number },
    ]
    expect(found.account_id).toBe(account)
    expect(Math.abs(found.expires_at - Date.now() - 600_000)).toBeLessThan(60_000)
  }
})

describe('members', () => {
  const member = ['--account', LEMON.account, '--telegram-id', '7234567890']

  it('are added, changed by adding them again, listed and removed', async () => {
    const added = await ask('add-member', ...member, '--name', ' Ann ')
    expect(added).toEqual({ accountId: LEMON.account, telegramId: 7234567890, name: 'Ann', role: 'viewer' })
    await ask('add-member', ...member, '--name', 'Ann Lee', '--role', 'owner')
    expect(await ask('members', '--account', LEMON.account)).toEqual([
      { telegramId: 7234567890, role: 'owner', added: expect.stringMatching(ISO), name: 'Ann Lee' },
    ])
    expect(await ask('members', '--account', PEAR.account)).toEqual([])
    const foreign = await run('remove-member', '--account', PEAR.account, '--telegram-id', '7234567890')
    expectFailure(foreign, '7234567890 is not a member of that account.')
    await ask('remove-member', ...member)
    expect(await ask('members', '--account', LEMON.account)).toEqual([])
  })
})

describe('connect-bot', () => {
  const connect = (address: string) => run('connect-bot', '--address', address)
  beforeEach(() => void vi.stubEnv('BOT_TOKEN', '4711:token'))
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  it('has the messenger send what people write to the service, and shows no token where it refuses', async () => {
    const asked: string[] = []
    const respond = (answer: object) =>
      vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit) => {
        asked.push(`${String(url).split('/').at(-1)} ${init.body}`)
        return Response.json(answer)
      })
    respond({ ok: true, result: { username: 'lemon_bot' } })
    expect((await connect('https://mauve.example.org')).stdout).toContain('@lemon_bot')
    const { path, secret } = botWebhookOf('4711:token')
    expect(asked[0]).toContain(`setWebhook {"url":"https://mauve.example.org${path}","secret_token":"${secret}"`)
    expect(asked[1]).toContain('setMyCommands')
    respond({ ok: false, error_code: 401, description: 'Unauthorized' })
    const refused = await connect('https://mauve.example.org')
    expectFailure(refused, 'The messenger did not connect the bot: Unauthorized.')
    expect(refused.stdout + refused.stderr).not.toContain('token')
    expectFailure(await connect('http://mauve.example.org'), 'needs an https address')
  })
})

describe('the objects of an application', () => {
  const filled = { state: 'fills', changes: 4, waitingSince: expect.stringMatching(ISO) }

  it('are one at first, and become more, which read everything', async () => {
    expect(await columnsOf('Lemon_Shop')).toEqual([
      { objects: 1, timeZone: 'UTC', state: 'answers', reading: 0, changes: 0, waitingSince: null },
    ])
    const answer = await ask('partition', '--application', '@lemon_shop', '--objects', '4')
    expect(answer).toEqual({ application: 'Lemon_Shop', objects: 4, note: expect.stringContaining('-- columns') })
    expect(await columnsOf(LEMON.project)).toEqual([
      { objects: 1, timeZone: 'UTC', state: 'answers', reading: 0, changes: 0, waitingSince: null },
      { objects: 4, timeZone: 'UTC', reading: 4, ...filled },
    ])
    expect(await columnsOf('pear_shop')).toHaveLength(1)
  })

  it('change one change at a time, which can be taken back', async () => {
    const meanwhile = await run('partition', '--application', 'lemon_shop', '--objects', '2')
    expectFailure(meanwhile, 'The users of @Lemon_Shop are being spread over 4 objects right now.')
    await ask('partition', '--application', 'lemon_shop', '--objects', '1')
    expect(await columnsOf('lemon_shop')).toMatchObject([{ objects: 1 }, { objects: 4, state: 'retired' }])
    const again = await run('partition', '--application', 'lemon_shop', '--objects', '4')
    expectFailure(again, 'The columns of 4 objects of @Lemon_Shop are still to be dropped.')
    const same = await run('partition', '--application', 'lemon_shop', '--objects', '1')
    expectFailure(same, 'The users of @Lemon_Shop are spread over 1 object already.')
  })

  it('read everything again, also while they are doing so', async () => {
    const marks: unknown[] = []
    for (const _ of [1, 2]) {
      const answer = await ask('rebuild', '--application', 'pear_shop')
      expect(answer).toEqual({ application: 'pear_shop', objects: 1, note: expect.stringContaining('-- columns') })
      marks.push(
        readDatabase(`select mark from changes where objects = 1 and part = 0 and hour = -1 and name_id = 0
        and from_time = 0 and to_time = 8640000000000000`),
      )
    }
    expect(await columnsOf('pear_shop')).toMatchObject([{ objects: 1, state: 'answers', reading: 1, changes: 1 }])
    const [[first], [second]] = marks as [{ mark: number }[], { mark: number }[]]
    expect(second?.mark).toBeGreaterThan(first?.mark as number)
  })

  it('are those of an application that there is', async () => {
    for (const args of [['columns'], ['rebuild'], ['partition', '--objects', '2']]) {
      const outcome = await run(...args, '--application', "@x' or '1'='1")
      expectFailure(outcome, "There is no application @x' or '1'='1.")
    }
  })
})

function columnsOf(application: string): Promise<unknown> {
  return ask('columns', '--application', application)
}

function readDatabase(sql: string): unknown {
  using db = new DatabaseSync(file)
  return db.prepare(sql).all()
}

describe('permanent deletions', () => {
  it('erase a person once confirmed, by a job of the object', async () => {
    const asked = ['erase', '--application', '@pear_shop', '--user', '7234567890']
    expectFailure(await run(...asked), 'confirm it with --yes')
    const dry = await ask('erase', '--application', 'pear_shop', '--user', '7234567890', '--dry-run')
    expect(dry).toMatchObject({
      application: 'pear_shop',
      telegramId: 7234567890,
      blocked: 'as before',
      note: 'Nothing was changed.',
    })
    expect(readDatabase('select * from jobs')).toEqual([])
    expect(await ask(...asked, '--block', '--yes')).toMatchObject({ blocked: 'yes' })
    expect(
      readDatabase(
        "select a.handle, kind, progress ->> 'telegramId' as id, progress ->> 'block' as block, progress ->> 'stage' as stage from jobs join applications as a on a.id = application_id",
      ),
    ).toEqual([{ handle: 'pear_shop', kind: 'erase', id: 7234567890, block: 1, stage: 'begin' }])
    // Nobody does the job here, and other tests look for those of this application.
    readDatabase('delete from jobs returning id')
  })

  it('an account with all of its applications, and no other', async () => {
    const { accountId } = await ask<{ accountId: typeof LEMON.account }>('create', '--name', 'Goner')
    const goner = { account: accountId, project: randomUUID(), handle: 'goner_shop' }
    readDatabase(insertionOf(goner).slice(insertionOf(goner).indexOf('insert into applications')))
    await ask('issue-key', '--account', accountId, '--scope', 'client')
    await ask('add-member', '--account', accountId, '--telegram-id', '5', '--name', 'Lena')
    readDatabase(`insert into consents values (5, '${accountId}', 5, 0)`)
    await ask('sign-in', '--account', accountId)
    const dry = await ask('delete', '--account', accountId, '--dry-run')
    expect(dry).toMatchObject({ name: 'Goner', applications: '@goner_shop' })
    expectFailure(await run('delete', '--account', accountId), 'confirm it with --yes')
    await ask('delete', '--account', accountId, '--yes')
    for (const table of ['applications', 'api_keys', 'members', 'consents', 'sign_in_links', 'dashboard_sessions']) {
      expect(readDatabase(`select 1 from ${table} where account_id = '${accountId}'`)).toEqual([])
    }
    expect(readDatabase('select handle from applications order by handle')).toEqual([
      { handle: 'Lemon_Shop' },
      { handle: 'pear_shop' },
    ])
    expect(readDatabase("select progress ->> 'stage' as stage from jobs where kind = 'delete'")).toEqual([
      { stage: 'objects' },
    ])
    expectFailure(await run('delete', '--account', accountId, '--yes'), 'There is no account')
  })
})

describe('a command that cannot be', () => {
  it.each([
    [['make'], 'There is no command "make".'],
    [['constructor'], 'There is no command "constructor".'],
    [['create'], '--name is missing or empty.'],
    [['create', '--name', '  '], '--name is missing or empty.'],
    [['create', '--name'], /--name/],
    [['create', '--name', 'x', '--plan', 'gold'], '--plan is "gold", but must be one of: standard, enterprise.'],
    [['create', 'Lemon', '--name', 'x'], '"create" does not take "Lemon".'],
    [['create', '--name', 'x', '--colour', 'green'], 'There is no option --colour. Show all options with --help.'],
    [['create', '--nmae', 'x'], 'There is no option --nmae. Did you mean --name? Show all options with --help.'],
    [['list', '--dry'], 'There is no option --dry. Did you mean --dry-run? Show all options with --help.'],
    [['list', '--plan', 'standard'], '"list" does not take --plan.'],
    [['list', '--show-secrets'], '"list" does not take --show-secrets.'],
    [['keys'], '--account is missing or empty.'],
    [['set-plan', '--account', 'x'], '--plan is missing or empty.'],
    [['set-plan', '--account', 'x', '--plan', 'gold'], '--plan is "gold", but must be one of: standard, enterprise.'],
    [['issue-key', '--account', 'x', '--scope', 'all'], '--scope is "all", but must be one of: full, read, client.'],
    [['sign-in'], '--account is missing or empty.'],
    [['sign-in', '--account', 'x', '--remote'], '--address is missing or empty.'],
    [['add-member', '--account', 'x', '--telegram-id', '5'], '--name is missing or empty.'],
    [['add-member', '--account', 'x', '--telegram-id', '-5', '--name', 'x'], /--telegram-id/],
    [['add-member', '--account', 'x', '--telegram-id', '1e3', '--name', 'x'], '--telegram-id is "1e3", but must be'],
    [['add-member', '--account', 'x', '--telegram-id', '5', '--name', 'x', '--role', 'boss'], '--role is "boss"'],
    [['columns'], '--application is missing or empty.'],
    [['rebuild'], '--application is missing or empty.'],
    [['move', '--application', 'pear_shop', '--database', '2'], 'wrangler.toml binds no database 2.'],
    [['move', '--application', 'pear_shop', '--database', '1,1,1'], '--database is "1,1,1", but must be'],
    [['move', '--application', 'pear_shop', '--database', 'two'], '--database is "two", but must be'],
    [['move', '--application', 'pear_shop', '--database', '1'], '@pear_shop is in database 1 already.'],
    [['move', '--application', 'pear_shop', '--database', '1,1'], '--objects 2'],
    [['partition', '--application', 'x'], '--objects is missing or empty.'],
    [['partition', '--application', 'x', '--objects', '3'], '--objects is "3", but must be one of: 1, 2, 4, 8, 16.'],
    [['revoke-key'], '"revoke-key" needs KEY.'],
    [['revoke-key', 'a', 'b'], '"revoke-key" does not take "b".'],
  ])('says why: %j', async (args, sentence) => {
    const outcome = await run(...args)
    expectFailure(outcome, sentence)
    expect(outcome.stdout).toBe('')
  })

  it('names the commands that exist', async () => {
    for (const args of [[], ['--help'], ['create', '-h']]) {
      expect(await run(...args)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('revoke-key KEY'),
      })
    }
  })
})

it('shows where an application is, and that it is on its way: then its columns stay as they are', async () => {
  const where = { application: PEAR.handle, databases: '1', moving: 'no' }
  expect(await ask('move', '--application', 'pear_shop')).toEqual(where)
  using db = new DatabaseSync(file)
  const progress = JSON.stringify({ from: [1], to: [2], step: 'copy', task: 3 })
  db.exec(
    `insert into jobs (application_id, kind, progress, created_at, updated_at) values (2, 'move', '${progress}', 0, 0)`,
  )
  expect(await ask('move', '--application', 'pear_shop')).toEqual({ ...where, moving: 'to 2: copy, 3 done' })
  expectFailure(await run('move', '--application', 'pear_shop', '--database', '1,1'), '--objects 2')
  expectFailure(await run('rebuild', '--application', 'pear_shop'), 'is being moved right now')
  db.exec('delete from jobs')
})

it.each([
  ['without a database', async () => undefined],
  [
    'with one that has no tables yet',
    async (state: string) => {
      await mkdir(join(state, ...DATABASES), { recursive: true })
      new DatabaseSync(join(state, ...DATABASES, FILE)).close()
      new DatabaseSync(join(state, ...DATABASES, 'metadata.sqlite')).close()
    },
  ],
])('%s a command says to start the service once', async (_, prepare) => {
  const empty = await newState()
  await prepare(empty)
  const outcome = await spawn(['list', '--json'], { folder: empty })
  await removeState(empty)
  expectFailure(outcome, 'Start the service once')
  expect(outcome.stdout).toBe('')
})

it('a database that is in use is waited for', async () => {
  const db = new DatabaseSync(file)
  db.exec('begin immediate')
  const creating = startCommand('account', ['create', '--name', 'Patient'], { MAUVE_STATE: state })
  const first = await Promise.race([creating.ended, sleep(1_500, 'waiting')])
  db.exec('commit')
  db.close()
  expect(first).toBe('waiting')
  expect(await creating.ended).toMatchObject({ code: 0, stderr: '' })
})

it('the names of others neither end a line nor reach the terminal as commands', () => {
  expect(toTable([{ id: 1, name: 'a\n\u001b[2Jb\u202ec' }])).toBe('ID  NAME\n1   a [2Jb c')
})
