import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { Failure } from '../base/errors.ts'
import { withTimeout } from '../base/time/with-timeout.ts'

/** Builds statements. Await one to run it. */
export type Database = BaseSQLiteDatabase<'async', unknown>

/** Also runs several statements as one transaction with `batch`; `$client` is the binding beneath. */
export type BatchDatabase = DrizzleD1Database & { readonly $client: D1Database }

/** Runs several statements as one transaction with `batch`, in a Worker or from a command. */
export type TransactionalDatabase = Database & Pick<DrizzleD1Database, 'batch'>

/**
 * How long a statement or a batch may take. Look-ups by key and single writes are quick. D1 allows a query 30 seconds, but many
 * clients give up by then, so a question returns 503 earlier. Jobs may take as long as D1 allows.
 */
const TIMEOUTS_MS = { lookUp: 5_000, question: 20_000, job: 30_000 }

export type Timeout = keyof typeof TIMEOUTS_MS

/** Calls that time out, or fail for a reason that may be temporary, throw `unavailable`. */
export function openDatabase(binding: D1Database, kind: Timeout = 'job'): BatchDatabase {
  return drizzle(timed(binding, TIMEOUTS_MS[kind]) as unknown as D1Database)
}

/** The parts of a statement that we and Drizzle use. */
interface TimedStatement {
  readonly statement: D1PreparedStatement
  bind(...values: unknown[]): TimedStatement
  all(): Promise<D1Result>
  run(): Promise<D1Result>
  raw(): Promise<unknown[][]>
}

function timed(binding: D1Database, timeoutMs: number) {
  const timedStatement = (statement: D1PreparedStatement): TimedStatement => ({
    statement,
    bind: (...values) => timedStatement(statement.bind(...values)),
    all: () => answerOf(statement.all(), timeoutMs),
    run: () => answerOf(statement.run(), timeoutMs),
    raw: () => answerOf(statement.raw(), timeoutMs),
  })
  return {
    prepare: (text: string) => timedStatement(binding.prepare(text)),
    // One that timed out may still be committed.
    batch: (statements: readonly TimedStatement[]) =>
      answerOf(binding.batch(statements.map(({ statement }) => statement)), timeoutMs),
  }
}

export const DATABASE_AWAY = 'The database does not answer right now. Send the request again.'

async function answerOf<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  try {
    return await withTimeout(answer, timeoutMs)
  } catch (error) {
    throw isWrongStatement(error) ? error : new Failure('unavailable', DATABASE_AWAY, { cause: error })
  }
}

/**
 * Whether an error says that the statement or its data is wrong, so that a retry would not help. For all others, whatever their
 * wording, the platform recommends a retry: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
function isWrongStatement(error: unknown): boolean {
  return WRONG_STATEMENT.test(String(error))
}

const WRONG_STATEMENT =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|AUTH|MISUSE)|D1_(TYPE_ERROR|COLUMN_NOTFOUND)|parameter bindings|No SQL statements/
