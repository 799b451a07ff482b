import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** The database before columns, and what the migration to them makes of it. */
function migrate() {
  const [before, after] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
  const dump = readFileSync(join(import.meta.dirname, 'before-columns.sql'), 'utf8')
  for (const database of [before, after]) database.exec(dump)
  after.exec(readFileSync(join(MIGRATIONS, '0002_columns.sql'), 'utf8'))
  return { before, after }
}

function read(database: DatabaseSync, sql: string): unknown[] {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return statement.all().map((row) => JSON.parse(JSON.stringify(row, (_, value) => toJson(value))))
}

/** Stamps are greater than numbers can be. */
function toJson(value: unknown): unknown {
  return typeof value !== 'bigint' ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}

it('asks the object of each application with events to read everything, since when its oldest day was dirty', () => {
  const start = Math.floor(Date.now() / 1000) * 1000
  const { after } = migrate()
  const [dirty, settled, ...others] = read(after, 'select * from changes order by application_id') as number[][]
  const always = [-1, 0, 0, 8_640_000_000_000_000, 1]
  expect(dirty).toEqual([1, 1, 0, ...always, 1_795_089_600_000])
  expect(settled?.slice(0, -1)).toEqual([2, 1, 0, ...always])
  expect(settled?.at(-1)).toBeGreaterThanOrEqual(start)
  expect(settled?.at(-1)).toBeLessThanOrEqual(Date.now())
  expect(others).toEqual([])
})

it('keeps the figures, as those of one object', () => {
  const { before, after } = migrate()
  const figures = 'active_users, monthly_active_users, new_users, premium_users, non_premium_users, events'
  const old = read(
    before,
    `select application_id, day, 1, 0, ${figures} from daily_figures order by application_id, day`,
  )
  expect(old).toHaveLength(35)
  expect(read(after, 'select * from daily_figures order by application_id, day')).toEqual(old)
  expect(read(after, 'select id, objects from applications order by id')).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ])
  expect(read(after, 'select * from layouts')).toEqual([])
})

it('touches nothing else', () => {
  const { before, after } = migrate()
  const tables = ['accounts', 'api_keys', 'event_names', 'contexts', 'users', 'sessions', 'events', 'event_ids']
  for (const table of tables) {
    const rows = read(before, `select * from ${table}`)
    expect(rows).not.toEqual([])
    expect(read(after, `select * from ${table}`)).toEqual(rows)
  }
  const left = read(
    after,
    "select name from sqlite_schema where type = 'table' and name in ('user_days', 'dirty_days')",
  )
  expect(left).toEqual([])
})
