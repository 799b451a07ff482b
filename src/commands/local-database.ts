import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { CommandFailure } from './failure.ts'
import { KEPT } from './wrangler.ts'

export interface Query {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** Each row the values of its columns. */
export interface Answer {
  rows: unknown[][]
}

/** Where Miniflare keeps D1 databases, each in a file that is named by a hash. */
const FOLDER = join(KEPT, 'state', 'v3', 'd1', 'miniflare-D1DatabaseObject')
/** Miniflare's own book-keeping. */
const NO_DATABASE = 'metadata.sqlite'
/** A service that is storing events holds the file for moments at a time. */
const BUSY_TIMEOUT_MS = 10_000

/** Runs the queries on the file of the local database, several of them as one transaction. Throws `CommandFailure`. */
export function runLocally(queries: readonly Query[]): Answer[] {
  const file = findFile()
  try {
    const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      return queries.length > 1 ? runAsOne(db, queries) : queries.map((query) => runQuery(db, query))
    } finally {
      db.close()
    }
  } catch (error) {
    throw toFailure(error, file)
  }
}

function findFile(): string {
  const files = existsSync(FOLDER)
    ? readdirSync(FOLDER).filter((name) => name.endsWith('.sqlite') && name !== NO_DATABASE)
    : []
  const [file, ...others] = files.map((name) => join(FOLDER, name))
  if (!file) throw new CommandFailure(NOT_SET_UP)
  if (others.length === 0) return file
  throw new CommandFailure(
    `Several databases lie in ${FOLDER}. Put those aside that this copy does not use (it writes into its own):\n\n${[file, ...others].join('\n')}`,
  )
}

const NOT_SET_UP = 'There is no database yet. Start the service once, so that it is set up: npm start'

function runAsOne(db: DatabaseSync, queries: readonly Query[]): Answer[] {
  // Taken for writing at once: a transaction that reads first could not wait for its turn to write.
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

function runQuery(db: DatabaseSync, { sql, params }: Query): Answer {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return { rows: statement.all(...(params as SQLInputValue[])) as unknown as unknown[][] }
}

function toFailure(error: unknown, file: string): unknown {
  if ((error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') return error
  const { message } = error as Error
  if (message.includes('no such table')) return new CommandFailure(NOT_SET_UP)
  return new CommandFailure(`The database did not take this: ${message}. It lies in ${file}.`)
}
