import { createHash, createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { CommandFailure, isOfDisk } from './failure.ts'
import { requireNoRestore } from './restoring.ts'
import { STATE } from './wrangler.ts'

export interface Query {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** A row is the values of its columns. */
export interface LocalResult {
  rows: unknown[][]
}

const CLASS = 'miniflare-D1DatabaseObject'
/** Miniflare's folder of D1 databases. Each is an object, and a file that is named by the object's id. */
const FOLDER = join(STATE, 'v3', 'd1', CLASS)
/** A service that stores events locks the file for moments at a time. */
const BUSY_TIMEOUT_MS = 10_000

/** Runs queries on the file of a local database; several are one transaction. */
export function runLocally(file: string, queries: readonly Query[]): LocalResult[] {
  requireNoRestore()
  if (!existsSync(file)) throw new CommandFailure(NOT_SET_UP)
  try {
    using db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    return queries.length > 1 ? runAsOne(db, queries) : queries.map((query) => runQuery(db, query))
  } catch (error) {
    throw toFailure(error, file)
  }
}

/** The file of a local database, an object named by this id: `ActorIdFactoryImpl` of github.com/cloudflare/workerd. */
export function fileOf(id: string): string {
  const key = createHash('sha256').update(CLASS).digest()
  const hashOf = (value: string | Buffer) => createHmac('sha256', key).update(value).digest().subarray(0, 16)
  const name = hashOf(id)
  return join(FOLDER, `${Buffer.concat([name, hashOf(name)]).toString('hex')}.sqlite`)
}

const NOT_SET_UP = 'There is no database yet. Start the service once, so that it is set up: npm start'

function runAsOne(db: DatabaseSync, queries: readonly Query[]): LocalResult[] {
  // `immediate`, because a transaction that reads first cannot wait for its turn to write.
  db.exec('begin immediate')
  try {
    const answers = queries.map((query) => runQuery(db, query))
    db.exec('commit')
    return answers
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

function runQuery(db: DatabaseSync, { sql, params }: Query): LocalResult {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return { rows: statement.all(...(params as SQLInputValue[])) as unknown as unknown[][] }
}

function toFailure(error: unknown, file: string): unknown {
  if ((error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR' || isOfDisk(error as Error)) return error
  const { message } = error as Error
  if (message.includes('no such table')) return new CommandFailure(NOT_SET_UP)
  return new CommandFailure(`The database refused this: ${message}. Its file is ${file}.`)
}
