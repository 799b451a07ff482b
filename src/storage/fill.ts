import { logError } from '../log.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { bindingNameOf, bindingOf, boundDatabases } from './activity.ts'

/** How full an activity database is. */
export interface Fill {
  /** Its binding. */
  readonly database: string
  /** Null where it does not answer. */
  readonly percent: number | null
}

const TIMEOUT_MS = 3_000
/** From here on somebody should do something. */
const ALARMING_PERCENT = 80

/** How full each activity database is; the first one is `DB`. */
export function readFills(env: Env): Promise<Fill[]> {
  return Promise.all(
    boundDatabases(env).map(async (number) => {
      const size = await readSize(env, number)
      const percent = size === null ? null : Math.floor((100 * size) / Number(env.DATABASE_BYTES))
      return { database: bindingNameOf(number), percent }
    }),
  )
}

/** The size of a database in bytes; null where it does not answer. Each answer of D1 says it. */
export async function readSize(env: Env, number: number): Promise<number | null> {
  try {
    const { meta } = await withTimeout(bindingOf(env, number).prepare('select 1').all(), TIMEOUT_MS)
    return meta.size_after
  } catch (error) {
    logError('database does not answer', error, { database: bindingNameOf(number) })
    return null
  }
}

/** Whether it nears its end. */
export function isFillingUp({ percent }: Fill): boolean {
  return percent !== null && percent >= ALARMING_PERCENT
}

/** Logs an error for each database that nears its end. */
export async function tellFill(env: Env): Promise<void> {
  for (const { database, percent } of (await readFills(env)).filter(isFillingUp)) {
    logError('database fills up', WHAT_TO_DO, { database, percent })
  }
}

const WHAT_TO_DO = 'what to do stands in docs/operating.md, "When a database fills up"'
