import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { CommandFailure } from './failure.ts'
import { HERE, runWrangler, WranglerError } from './wrangler.ts'

/** Where a command works: the database beside `npm start`, or that of the deployed service. */
export type Place = 'local' | 'remote'

interface Query {
  readonly sql: string
  readonly params: readonly unknown[]
}

/**
 * The service's database as `wrangler d1 execute` reaches it; it works while the service runs.
 * Statements of one `batch` are one transaction. A selection must not name two columns alike: rows come as JSON objects.
 */
export function openDatabaseAt(place: Place): SqliteRemoteDatabase {
  return drizzle(
    async (sql, params) => (await execute([{ sql, params }], place))[0] ?? { rows: [] },
    (queries) => execute(queries, place),
  )
}

async function execute(queries: readonly Query[], place: Place): Promise<{ rows: unknown[][] }[]> {
  const command = queries.map(inline).join(';\n')
  const where = place === 'local' ? ['--local', ...HERE] : ['--remote']
  const printed = await run(['d1', 'execute', 'DB', ...where, '--json', '--yes', '--command', command])
  const answers = JSON.parse(printed) as { results: Record<string, unknown>[] }[]
  return answers.map(({ results }) => ({ rows: results.map(Object.values) }))
}

const PAUSES_MS = [200, 500, 1_000, 2_000]

/** A service that is storing events holds the file for moments at a time. */
async function run(args: readonly string[]): Promise<string> {
  for (const pause of PAUSES_MS) {
    const printed = await runWrangler(args).catch(passOverBusy)
    if (printed !== null) return printed
    await sleep(pause)
  }
  return runWrangler(args).catch((error) => {
    throw toFailure(error)
  })
}

function passOverBusy(error: unknown): null {
  if (error instanceof WranglerError && /SQLITE_BUSY|database is locked/.test(error.output)) return null
  throw toFailure(error)
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof WranglerError)) return error
  if (error.output.includes('no such table')) {
    return new CommandFailure('There is no database yet. Start the service once, so that it is set up: npm start')
  }
  return new CommandFailure(`The database did not take this. What Wrangler said:\n\n${error.output.trim()}`)
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
