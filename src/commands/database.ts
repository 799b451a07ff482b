import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { findDatabase } from './deployment.ts'
import { CommandFailure } from './failure.ts'
import { fileOf, type LocalResult, type Query, runLocally } from './local-database.ts'
import { runWrangler, WranglerError } from './wrangler.ts'

/** The databases of the local service, or those of the deployed one. */
export type Target = 'local' | 'remote'

/** Opens one of the service's databases by its number; 1 has the control data. */
export type TargetDatabases = (number: number) => SqliteRemoteDatabase

export function databasesAt(target: Target): TargetDatabases {
  return (number) => openDatabaseAt(target, number)
}

/**
 * Opens a database of the service, which may run meanwhile. The statements of a `batch` are one transaction. No two columns of a
 * selection may have the same name, because remote rows are JSON objects.
 */
export function openDatabaseAt(target: Target, number = 1): SqliteRemoteDatabase {
  const { binding, id } = findDatabase(number)
  return target === 'local' ? openFile(fileOf(id)) : openWith((queries) => runRemotely(binding, queries))
}

export function openFile(file: string): SqliteRemoteDatabase {
  return openWith(async (queries) => runLocally(file, queries))
}

function openWith(run: (queries: readonly Query[]) => Promise<LocalResult[]>): SqliteRemoteDatabase {
  return drizzle(async (sql, params) => (await run([{ sql, params }]))[0] ?? { rows: [] }, run)
}

async function runRemotely(binding: string, queries: readonly Query[]): Promise<LocalResult[]> {
  const command = queries.map(inline).join(';\n')
  const args = ['d1', 'execute', binding, '--remote', '--json', '--yes', '--command', command]
  const printed = await runWrangler(args).catch((error) => {
    throw toFailure(error)
  })
  const answers = JSON.parse(printed) as { results: Record<string, unknown>[] }[]
  return answers.map(({ results }) => ({ rows: results.map(Object.values) }))
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof WranglerError)) return error
  if (error.output.includes('no such table')) {
    return new CommandFailure('The deployed database is not set up yet. Deploy the service: npm run deploy')
  }
  return new CommandFailure(`The database refused this. Wrangler said:\n\n${error.output.trim()}`)
}

/** Writes the values into the statement: the command line has no bound values. */
function inline({ sql, params }: Query): string {
  const literals = params.map(toLiteral)
  return sql.replaceAll('?', () => literals.shift() ?? 'null')
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && !value.includes('\0')) return `'${value.replaceAll("'", "''")}'`
  throw new CommandFailure('A value contains a character that cannot be stored.')
}
