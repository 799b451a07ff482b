import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { findDatabase } from './deployment.ts'
import { CommandFailure } from './failure.ts'
import { type LocalResult, type Query, runLocally } from './local-database.ts'
import { runWrangler, WranglerError } from './wrangler.ts'

/** Where a command works: the database beside `npm start`, or that of the deployed service. */
export type Target = 'local' | 'remote'

/** The service's databases, by number; 1 has the control data. */
export type TargetDatabases = (number: number) => SqliteRemoteDatabase

export function databasesAt(target: Target): TargetDatabases {
  return (number) => openDatabaseAt(target, number)
}

/**
 * A database of the service; it works while the service runs. Statements of one `batch` are one transaction. A selection must
 * not name two columns alike: from afar rows come as JSON objects.
 */
export function openDatabaseAt(target: Target, number = 1): SqliteRemoteDatabase {
  const { binding, id } = findDatabase(number)
  const run = async (queries: readonly Query[]) =>
    target === 'local' ? runLocally(id, queries) : runRemotely(binding, queries)
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

/** The statement with its values written in: the command line has no bound values. */
function inline({ sql, params }: Query): string {
  const literals = params.map(toLiteral)
  return sql.replaceAll('?', () => literals.shift() ?? 'null')
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && !value.includes('\0')) return `'${value.replaceAll("'", "''")}'`
  throw new CommandFailure('A value holds a character that cannot be stored.')
}
