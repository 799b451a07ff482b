import { logError } from '../base/log.ts'
import { withTimeout } from '../base/time/with-timeout.ts'
import { bindingNameOf, bindingOf, boundDatabases } from './activity.ts'

/** How full an activity database is. */
export interface DatabaseFill {
  /** The database's binding. */
  readonly database: string
  /** Null if it does not respond. */
  readonly percent: number | null
}

const TIMEOUT_MS = 3_000
/** From here on, an operator should act. */
const ALARMING_PERCENT = 80

/** How full each activity database is. The first one is `DB`. */
export function readFills(env: Env): Promise<DatabaseFill[]> {
  return Promise.all(
    boundDatabases(env).map(async (number) => {
      const size = await readSize(env, number)
      const percent = size === null ? null : Math.floor((100 * size) / Number(env.DATABASE_BYTES))
      return { database: bindingNameOf(number), percent }
    }),
  )
}

/** The size of a database in bytes, which every D1 result reports; null if it does not respond. */
export async function readSize(env: Env, number: number): Promise<number | null> {
  try {
    const { meta } = await withTimeout(bindingOf(env, number).prepare('select 1').all(), TIMEOUT_MS)
    return meta.size_after
  } catch (error) {
    logError('database does not answer', error, { database: bindingNameOf(number) })
    return null
  }
}

export function isFillingUp({ percent }: DatabaseFill): boolean {
  return percent !== null && percent >= ALARMING_PERCENT
}

/** Logs an error for each database that is nearly full. */
export async function logFills(env: Env): Promise<void> {
  for (const { database, percent } of (await readFills(env)).filter(isFillingUp)) {
    logError('database fills up', WHAT_TO_DO, { database, percent })
  }
}

const WHAT_TO_DO = 'see docs/operating.md, "When a database fills up"'

/** The number of the bound database that takes the least space. One that does not respond is not chosen. */
export async function emptiestDatabase(env: Env): Promise<number> {
  const numbers = boundDatabases(env)
  if (numbers.length === 1) return 1
  const sizes = await Promise.all(numbers.map(async (number) => (await readSize(env, number)) ?? Infinity))
  return numbers[sizes.indexOf(Math.min(...sizes))] ?? 1
}
