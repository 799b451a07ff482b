import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectFailure, newState, type Outcome, removeState, runHere, setVariables } from './command.ts'

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations')
const HISTORY = join(import.meta.dirname, '..', 'storage', 'former-release.sql')

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
  lockFolder = (await import('../../src/local/lock.ts')).lockFolder
  file = (await import('../../src/commands/local-database.ts')).fileOf('DB')
  writeHistory()
})

afterAll(() => Promise.all([state, ...folders].map(removeState)))

/** A database with a history, as `npm start` leaves it behind. */
function writeHistory(): void {
  const db = new DatabaseSync(template(), { enableForeignKeyConstraints: false })
  db.exec(`begin; ${readFileSync(HISTORY, 'utf8')}`)
  for (const name of readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql') && name > '0004')) {
    db.exec(readFileSync(join(MIGRATIONS, name), 'utf8'))
    db.prepare('insert into d1_migrations (name) values (?)').run(name)
  }
  db.exec('commit')
  db.close()
}

function template(): string {
  return join(state, 'history.sqlite')
}

beforeEach(async () => {
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
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'").all()
  const read = (name: string) => {
    const statement = db.prepare(`select * from "${name}"`)
    statement.setReadBigInts(true)
    return JSON.parse(JSON.stringify(statement.all(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))
  }
  const found = Object.fromEntries(tables.map(({ name }) => [String(name), read(String(name))]))
  db.close()
  return found
}

function change(sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

it('brings back every row of every table, asks columns to be made anew, and puts aside what was there', async () => {
  const before = contents()
  expect(before.events).toHaveLength(1468)
  change(
    "delete from events; update users set firstname = 'Somebody'; insert into accounts values ('a', 'b', 'standard', 1)",
  )
  const { code, stdout } = await runRestore('--yes')
  expect(code).toBe(0)
  const said = JSON.parse(stdout)
  expect(said.objects).toBe(1)
  const { changes, ...after } = contents()
  const { changes: none, ...others } = before
  expect(after).toEqual(others)
  expect(none).toEqual([])
  expect(changes).toMatchObject([{ application_id: '1n', hour: '-1n', from_time: '-1n' }])
  expect(readdirSync(said.putAside)).toEqual([expect.stringMatching(/^DB-.*\.sqlite$/)])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600])
})

it('gives the ids of applications that were registered since the backup to no others', async () => {
  await runRestore('--yes')
  const db = new DatabaseSync(file)
  const first = 'select seq from sqlite_sequence where name = ?'
  expect(Number(db.prepare(first).get('applications')?.seq)).toBeGreaterThan(1_700_000_000)
  db.close()
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
  expect(contents().events).toHaveLength(1468)
})

it('replaces nothing unasked, and nothing while the service runs', async () => {
  change('delete from sessions')
  const before = contents()
  expectFailure(await runRestore(), /^What is there is replaced: DB with 1 accounts, .* --yes/)
  expect((await runRestore('--dry-run')).stdout).toContain('Nothing was changed')
  const release = lockFolder(state)
  expectFailure(await runRestore('--yes'), 'is running on')
  release()
  expect(contents()).toEqual(before)
})

it('restores without a word into a folder without a database', async () => {
  const before = contents()
  await rm(dirname(file), { recursive: true })
  expect((await runRestore()).code).toBe(0)
  expect(contents().events).toEqual(before.events)
})

it.each<[what: string, spoil: () => void, sentence: string]>([
  ['was cut short', () => writeFileSync(join(folder, 'DB.sqlite'), 'SQLite'), 'is not what was backed up'],
  ['has no manifest', () => rmSync(join(folder, 'manifest.json')), 'is no backup'],
  ['is of a newer release', () => rewrite(/"d1_migrations": \d+/, '"d1_migrations": 99'), 'made by a newer release'],
  ['is of another format', () => rewrite(/"format": 1/, '"format": 2'), 'made by a newer release'],
  ['is of a deployed service', () => rewrite(/"place": "local"/, '"place": "remote"'), 'restored with --remote'],
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

it('writes over no other backup', async () => {
  expectFailure(await runBackup(), 'is there already')
  expect(existsSync(join(folder, 'manifest.json'))).toBe(true)
})

/** As D1 exports it, with what a person may write in a text. */
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
