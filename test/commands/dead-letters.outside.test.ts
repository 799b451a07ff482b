import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createDatabase, expectFailure, newState, type Outcome, removeState, runHere, setVariables } from './command.ts'

const EVENT = { name: 'Lemon bought', telegramId: 5, firstname: 'Ann' }
const BODY = JSON.stringify({ version: 2, applicationId: 7, scope: 'full', events: [EVENT, EVENT] })

let state: string
let db: DatabaseSync
let command: (args: string[]) => Promise<void>

beforeAll(async () => {
  state = await newState()
  setVariables({ MAUVE_STATE: state })
  // Loaded only now: they read the variables.
  command = (await import('../../src/commands/dead-letters.ts')).deadLetters
  const file = (await import('../../src/commands/local-database.ts')).fileOf('DB')
  db = createDatabase(file)
})

afterAll(async () => {
  db.close()
  await removeState(state)
})

beforeEach(() => {
  db.exec('delete from dead_letters')
  const insert = db.prepare('insert into dead_letters (id, body, put_aside_at) values (?, ?, ?)')
  insert.run(9007199254740991, BODY, 1000)
  insert.run(12, 'not JSON at all', 2000)
})

function run(...args: string[]): Promise<Outcome> {
  return runHere(() => command(args))
}

function rows(): unknown[] {
  return db.prepare('select id, resend_at is not null as asked from dead_letters order by id').all().map(Object.values)
}

it('lists them, newest first, without what a person said', async () => {
  const { stdout } = await run('list')
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^ID +PUT ASIDE +APPLICATION +EVENTS +USERS +WHY +RESEND +NAMES$/),
    expect.stringMatching(/^12 +1970-01-01T00:00:02.000Z +- +0 +0 +no message of the queue +- +not JSON at all$/),
    expect.stringMatching(/^9007199254740991 +1970-\S+ +\(deleted\) 7 +2 +1 +no event +- +Lemon bought$/),
  ])
  expect(stdout).not.toContain('Ann')
  const listed = JSON.parse((await run('list', '--json')).stdout)
  expect(listed.map(({ body }: { body: string }) => body)).toEqual(['not JSON at all', BODY])
  expect((await run('list', '--limit', '1')).stdout).toContain('The newest 1 of 2.')
})

it('marks some or all to be sent again', async () => {
  expect((await run('resend', '12', '--dry-run')).stdout).toContain('Nothing was changed')
  expect(rows()).toEqual([
    [12, 0],
    [9007199254740991, 0],
  ])
  expect((await run('resend', '12')).stdout).toBe('Dead letters: 1\nNote: Cron sends them within five minutes.\n')
  expect(rows()).toEqual([
    [12, 1],
    [9007199254740991, 0],
  ])
  await run('resend', '--all')
  expect(rows().map((row) => (row as number[])[1])).toEqual([1, 1])
})

it('sends events of a deleted application to another one, and leaves those of others where they belong', async () => {
  db.exec(`delete from applications; delete from accounts;
    insert into accounts (id, name, plan, created_at) values ('lemon', 'Lemon', 'enterprise', 0);
    insert into applications (id, project_id, account_id, handle, name, link, description, photo_url, public_key,
      sealed_private_key, capture, created_at)
    values (8, 'p', 'lemon', 'lemon_shop', 'Shop', 'https://t.me/shop', '', 'x', 'x', 'x', '{}', 0)`)
  const letter = '9007199254740991'
  expectFailure(await run('resend', letter, '12', '--application', '@lemon_shop'), 'deleted applications only, not 12.')
  expectFailure(await run('resend', '--all', '--application', '@lemon_shop'), 'deleted applications only, not --all.')
  expectFailure(await run('resend', letter, '--application', '@lime_shop'), 'There is no application @lime_shop.')
  expect(rows().map((row) => (row as number[])[1])).toEqual([0, 0])
  await run('resend', letter, '--application', '@lemon_shop')
  const body = db.prepare('select body from dead_letters where resend_at is not null').get()?.body
  expect(JSON.parse(String(body))).toEqual({ ...JSON.parse(BODY), applicationId: 8 })
  expectFailure(await run('resend', letter, '--application', '@lemon_shop'), 'deleted applications only')
})

it('deletes them permanently, and only if confirmed', async () => {
  expectFailure(await run('discard', '--all'), /^2 dead letters will be deleted permanently\. .*--yes/)
  expect(rows()).toHaveLength(2)
  await run('discard', '9007199254740991', '--yes')
  expect(rows()).toEqual([[12, 0]])
})

it.each([
  [['resend'], 'Name some dead letters, or use --all'],
  [['resend', '12', '--all'], 'Name some dead letters, or use --all'],
  [['discard', '13', '12', '--yes'], 'There is no dead letter 13.'],
  [['resend', 'twelve'], 'must be a whole number'],
  [['list', '--yes'], 'does not take --yes'],
  [['burn'], 'There is no command "burn"'],
])('says what is wrong with %j', async (args, sentence) => {
  expectFailure(await run(...args), sentence)
  expect(rows()).toHaveLength(2)
})
