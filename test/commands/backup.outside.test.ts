import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { expectFailure, MIGRATIONS, newState, type Outcome, removeState, runHere, setVariables } from './command.ts'

const HISTORY = join(import.meta.dirname, '..', 'storage', 'a465e32.sql')

/** How many renames are left before a command is killed, as far as its files can tell. */
const life = vi.hoisted(() => ({ renames: Number.POSITIVE_INFINITY }))

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const renameSync: typeof fs.renameSync = (from, to) => {
    if (life.renames-- <= 0) throw new Error('killed')
    fs.renameSync(from, to)
  }
  return { ...fs, renameSync }
})

let state: string
const folders: string[] = []
let folder: string
let file: string
let backup: (args: string[]) => Promise<void>
let restore: (args: string[]) => Promise<void>
let lockFolder: (folder: string) => () => void

beforeAll(async () => {
  state = await newState()
  setVariables({ MAUVE_STATE: state })
  // Loaded only now: they read the variables.
  backup = (await import('../../src/commands/backup/backup.ts')).backup
  restore = (await import('../../src/commands/backup/restore.ts')).restore
  lockFolder = (await import('../../src/commands/running.ts')).lockFolder
  file = (await import('../../src/commands/local-database.ts')).fileOf('DB')
  writeHistory()
})

afterAll(() => Promise.all([state, ...folders].map(removeState)))

/** A database with a history, as `npm start` leaves it behind. */
function writeHistory(): void {
  using db = new DatabaseSync(template(), { enableForeignKeyConstraints: false })
  db.exec(`begin; ${readFileSync(HISTORY, 'utf8')}`)
  const applied = new Set(
    db
      .prepare('select name from d1_migrations')
      .all()
      .map(({ name }) => name),
  )
  for (const name of readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql') && !applied.has(name))) {
    db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
    db.prepare('insert into d1_migrations (name) values (?)').run(name)
  }
  db.exec('commit')
}

function template(): string {
  return join(state, 'history.sqlite')
}

beforeEach(async () => {
  life.renames = Number.POSITIVE_INFINITY
  await rm(join(state, 'restoring.json'), { force: true })
  await rm(dirname(file), { recursive: true, force: true })
  await mkdir(dirname(file), { recursive: true })
  cpSync(template(), file)
  folders.push(await newState())
  folder = join(folders.at(-1) ?? '', 'kept')
  expect(await runBackup()).toMatchObject({ code: 0, stderr: '' })
})

function runBackup(...args: string[]): Promise<Outcome> {
  return runHere(() => backup([folder, '--json', ...args]))
}

function runRestore(...args: string[]): Promise<Outcome> {
  return runHere(() => restore([folder, '--json', ...args]))
}

/** Each table's rows, numbers as they are written: some are greater than JavaScript's. */
function contents(): Record<string, unknown[]> {
  using db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'").all()
  const read = (name: string) => {
    const statement = db.prepare(`select * from "${name}"`)
    statement.setReadBigInts(true)
    return JSON.parse(JSON.stringify(statement.all(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))
  }
  return Object.fromEntries(tables.map(({ name }) => [String(name), read(String(name))]))
}

function change(sql: string): void {
  using db = new DatabaseSync(file)
  db.exec(sql)
}

it('restores every row of every table, has columns rebuilt, and sets aside the replaced data', async () => {
  const before = contents()
  expect(before.events).toHaveLength(1977)
  change(
    "delete from events; update users set firstname = 'Somebody'; insert into accounts values ('a', 'b', 'standard', 1)",
  )
  const { code, stdout } = await runRestore('--yes')
  expect(code).toBe(0)
  const said = JSON.parse(stdout)
  expect(said.objects).toBe(2)
  const { changes, ...after } = contents()
  const { changes: waiting, ...others } = before
  expect(after).toEqual(others)
  const everything = { hour: '-1n', from_time: '-1n' }
  const isOfRestore = (change: unknown) => (change as typeof everything).hour === everything.hour
  expect(changes?.filter((change) => !isOfRestore(change))).toEqual(waiting)
  expect(changes?.filter(isOfRestore)).toMatchObject([
    { application_id: '1n', ...everything },
    { application_id: '2n', ...everything },
  ])
  expect(readdirSync(said.putAside)).toEqual([expect.stringMatching(/^DB-.*\.sqlite$/)])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600])
})

it('brings back time zones, also one that was being prepared, and asks the objects of both to read everything', async () => {
  change(`update applications set objects = 34, time_zone = 'Asia/Tokyo' where id = 1;
    insert into layouts (application_id, objects, time_zone) values (1, 34, 'Asia/Tokyo'), (1, 66, 'Europe/Berlin')`)
  await rm(folder, { recursive: true })
  await runBackup()
  const before = contents()
  change("update applications set objects = 1, time_zone = 'UTC'; delete from layouts")
  await runRestore('--yes')
  const { applications, layouts, changes = [] } = contents()
  expect({ applications, layouts }).toEqual({ applications: before.applications, layouts: before.layouts })
  const asked = (changes as Record<string, string>[]).filter(({ hour }) => hour === '-1n')
  expect(asked.map(({ application_id, objects, part }) => [application_id, objects, part]).toSorted()).toEqual([
    ['1n', '34n', '0n'],
    ['1n', '34n', '1n'],
    ['1n', '66n', '0n'],
    ['1n', '66n', '1n'],
    ['2n', '1n', '0n'],
  ])
})

it('gives the ids of applications that were registered since the backup to no others', async () => {
  await runRestore('--yes')
  using db = new DatabaseSync(file)
  const first = 'select seq from sqlite_sequence where name = ?'
  expect(Number(db.prepare(first).get('applications')?.seq)).toBeGreaterThan(1_700_000_000)
})

it('takes a consistent copy while somebody writes', async () => {
  const db = new DatabaseSync(file)
  db.exec("pragma journal_mode = wal; begin immediate; update events set params = 'half'")
  await rm(folder, { recursive: true })
  expect((await runBackup()).code).toBe(0)
  db.exec('rollback')
  db.close()
  change('delete from events')
  await runRestore('--yes')
  expect(contents().events?.filter((event) => (event as { params: unknown }).params === 'half')).toEqual([])
  expect(contents().events).toHaveLength(1977)
})

it('replaces nothing unasked, and nothing while the service runs', async () => {
  change('delete from sessions')
  const before = contents()
  expectFailure(await runRestore(), /^This replaces DB with 1 account, 2 applications, .* --yes/)
  const release = lockFolder(state)
  expectFailure(await runRestore('--yes'), /is running on .* Stop it first \(Ctrl-C\), then restore\./)
  const { code, stdout } = await runHere(() => restore([folder, '--dry-run']))
  expect({ code, labels: stdout.match(/^[^:]+(?=:)/gm) }).toEqual({
    code: 0,
    labels: ['Backup', 'Backed up at', 'Replaces', 'Rows in the backup', 'Note'],
  })
  expect(stdout).toContain('Nothing was changed')
  release()
  expect(contents()).toEqual(before)
})

it('restores without a word into a folder without a database', async () => {
  const before = contents()
  await rm(dirname(file), { recursive: true })
  expect((await runRestore()).code).toBe(0)
  expect(contents().events).toEqual(before.events)
})

/** Runs a command that ends before the rename of this number, from 0 on. */
async function kill(renames: number, command: () => Promise<Outcome>): Promise<void> {
  life.renames = renames
  await expect(command()).rejects.toThrow('killed')
  life.renames = Number.POSITIVE_INFINITY
}

it.each([0, 1, 2, 3])(
  'a restore that is killed before rename %d lets nothing start until it is run again',
  async (at) => {
    const { requireWholeState } = await import('../../src/commands/whole-state.ts')
    const { openDatabaseAt } = await import('../../src/commands/database.ts')
    const { markRestoring } = await import('../../src/commands/restoring.ts')
    const open = async () => void (await openDatabaseAt('local').all('select count(*) from accounts'))
    const before = contents()
    // What is replaced lies in three files, as when a service was killed.
    const db = new DatabaseSync(file)
    db.exec("pragma journal_mode = wal; update users set firstname = 'Somebody'")
    const changed = contents().users
    await kill(at, () => runRestore('--yes'))
    db.close()
    const again = `A restore did not finish, so the database is incomplete. Run it again: npm run restore -- ${folder}\n`
    expectFailure(await runHere(async () => requireWholeState()), again)
    expectFailure(await runHere(open), again)
    expectFailure(await runHere(() => restore(['--time-travel'])), again)
    expectFailure(await runHere(() => backup([`${folder}-2`])), again)
    const { putAside } = JSON.parse((await runRestore('--yes')).stdout)
    // Once more, as if it had been killed at its very end.
    markRestoring({ backup: folder, aside: putAside })
    expect(JSON.parse((await runRestore('--yes')).stdout).putAside).toBe(putAside)
    expect(contents().events).toEqual(before.events)
    expect(contents().users).toEqual(before.users)
    expect((await runHere(async () => requireWholeState())).code).toBe(0)
    using aside = new DatabaseSync(join(putAside, `DB-${basename(file)}`), { readOnly: true })
    expect(aside.prepare('select firstname from users').all()).toEqual(
      changed?.map((user) => ({ firstname: (user as { firstname: string }).firstname })),
    )
  },
)

it.each<[what: string, spoil: () => void, sentence: string]>([
  ['was cut short', () => writeFileSync(join(folder, 'DB.sqlite'), 'SQLite'), 'is not what was backed up'],
  ['has no manifest', () => rmSync(join(folder, 'manifest.json')), 'is not a complete backup'],
  ['is of a newer release', () => rewrite(/"d1_migrations": \d+/, '"d1_migrations": 99'), 'made by a newer release'],
  ['is of another format', () => rewrite(/"format": 1/, '"format": 2'), 'made by a newer release'],
  ['is of a deployed service', () => rewrite(/"place": "local"/, '"place": "remote"'), 'restore it with --remote'],
  ['names a file of another folder', () => rewrite(/"DB.sqlite"/, '"../DB.sqlite"'), 'not a file of the folder'],
  ['names its own folder', () => rewrite(/"DB.sqlite"/, '"."'), 'is missing or was changed'],
  [
    'has no list of databases',
    () => rewrite(/"databases": \[/, '"others": ['),
    'is not what a backup writes: databases',
  ],
  ['has a database that is bound nowhere', () => rewrite(/"DB"/, '"ACTIVITY_99"'), 'wrangler.toml does not name'],
])('refuses a backup that %s', async (_, spoil, sentence) => {
  spoil()
  const before = contents()
  expectFailure(await runRestore('--yes'), sentence)
  expect(contents()).toEqual(before)
})

function rewrite(part: RegExp, other: string): void {
  const manifest = join(folder, 'manifest.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(part, other))
}

it('leaves nothing behind that is no backup', async () => {
  rmSync(folder, { recursive: true })
  rmSync(file)
  expectFailure(await runBackup(), 'There is no database DB yet')
  expect(existsSync(folder)).toBe(false)
})

it('a backup that was killed does not disturb the next one', async () => {
  await rm(folder, { recursive: true })
  await kill(0, () => runBackup())
  const parent = dirname(folder)
  // What the process would have deleted had it gone on.
  mkdirSync(join(parent, `kept.unfinished-backup-${ENDED_PID}`))
  expect((await runBackup()).code).toBe(0)
  expect(readdirSync(parent)).toEqual(['kept'])
})

/** Greater than any system gives. */
const ENDED_PID = 2 ** 31 - 1

it('does not overwrite another backup', async () => {
  expectFailure(await runBackup(), 'exists already')
  expect(existsSync(join(folder, 'manifest.json'))).toBe(true)
})

/** A dump as D1 exports it, with texts as people may write them. */
const DUMP = `PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE IF NOT EXISTS "api_keys" (hash text primary key, account_id text references accounts(id));
INSERT INTO "api_keys" ("hash","account_id") VALUES('a;b','x'),('(''c'')','x');
CREATE TABLE accounts (id text primary key, name text);
INSERT INTO "accounts" ("id","name") VALUES('x','it''s
INSERT INTO "accounts" VALUES(1);');
DELETE FROM sqlite_sequence;
INSERT INTO "sqlite_sequence" ("name","seq") VALUES('accounts',6);
CREATE UNIQUE INDEX accounts_by_name on accounts (name);
`

it('counts the rows of a dump, and puts tables first, then rows that others refer to', async () => {
  const { countRows, writeInOrder } = await import('../../src/commands/backup/dump.ts')
  const dump = join(state, 'dump.sql')
  writeFileSync(dump, DUMP)
  expect(await countRows(dump)).toEqual({ api_keys: 2, accounts: 1 })
  await writeInOrder(dump, `${dump}.in-order`)
  const words = readFileSync(`${dump}.in-order`, 'utf8').match(/^(PRAGMA|CREATE \w+|(INSERT INTO|DELETE FROM) "?\w+)/gm)
  expect(words?.filter((word) => !word.startsWith('INSERT INTO "accounts" VALUES'))).toEqual([
    'PRAGMA',
    'CREATE TABLE',
    'CREATE TABLE',
    'INSERT INTO "accounts',
    // Within a text.
    'INSERT INTO "accounts',
    'INSERT INTO "api_keys',
    'DELETE FROM sqlite_sequence',
    'INSERT INTO "sqlite_sequence',
    'CREATE UNIQUE',
  ])
})
