import type { Context } from 'hono'
import { logError } from '../base/log.ts'
import { withTimeout } from '../base/time/with-timeout.ts'
import { type DatabaseFill, isFillingUp, readFills } from '../storage/fill.ts'
import type { AppEnv } from './context.ts'

type State = 'ok' | 'away' | 'damaged'

interface Parts {
  readonly database: State
  /** Only a local service can inspect its queue. */
  readonly queue?: State
  readonly cache: State
}

interface Health {
  readonly parts: Parts
  /** Databases that are nearly full, and those other than the first that do not respond. */
  readonly databases: readonly DatabaseFill[]
}

/** An isolate checks at most this often. */
const CHECK_EVERY_MS = 5_000
const TIMEOUT_MS = 3_000

let known: { readonly health: Health; readonly at: number } | null = null
let checkingSince = 0

/**
 * Reports whether the database and the cache respond: 200, or 503 with what does not. A single database that fails is a 200,
 * because collection continues. Needs no key. While one request checks, others get the last result.
 */
export async function health(c: Context<AppEnv>): Promise<Response> {
  c.set('operation', { operationId: 'health', path: '/health' })
  const now = c.get('now')
  // A clock may be set back.
  const isFresh = known !== null && Math.abs(now - known.at) < CHECK_EVERY_MS
  const isChecking = known !== null && now - checkingSince < TIMEOUT_MS
  const { databases, parts } = known && (isFresh || isChecking) ? known.health : await checkNow(c, now)
  if (Object.values(parts).some((part) => part !== 'ok')) {
    c.header('Retry-After', String(CHECK_EVERY_MS / 1000))
    return c.json({ status: 'unavailable', ...parts }, 503)
  }
  const { JURISDICTION: jurisdiction } = c.env
  const found = databases.length > 0 ? { status: 'degraded', ...parts, databases } : { status: 'ok', ...parts }
  return c.json({ ...found, ...(jurisdiction && { jurisdiction }) })
}

async function checkNow(c: Context<AppEnv>, now: number): Promise<Health> {
  checkingSince = now
  const [fills, cache, local] = await Promise.all([readFills(c.env), checkCache(c.env), checkLocal(c.env)])
  const database = fills[0]?.percent === null ? 'away' : 'ok'
  const parts = { database, ...local, cache } as const
  const databases = fills.filter((fill) => fill.percent === null || isFillingUp(fill))
  known = { health: { parts, databases }, at: now }
  checkingSince = 0
  return known.health
}

async function checkCache({ CACHE }: Env): Promise<State> {
  try {
    await withTimeout(CACHE.get('health'), TIMEOUT_MS)
    return 'ok'
  } catch (error) {
    logError('health', error, { part: 'cache' })
    return 'away'
  }
}

/** Bound by `npm start` (src/commands/local/local-health.ts). */
interface LocalEnv extends Env {
  readonly LOCAL_HEALTH?: { look(): Promise<{ database: State; queue: State }> }
}

/** What a local service knows about its files. A deployed one knows nothing. */
async function checkLocal({ LOCAL_HEALTH }: LocalEnv): Promise<{ database?: 'damaged'; queue?: State }> {
  if (LOCAL_HEALTH === undefined) return {}
  try {
    const { database, queue } = await withTimeout(LOCAL_HEALTH.look(), TIMEOUT_MS)
    return database === 'damaged' ? { database, queue } : { queue }
  } catch (error) {
    logError('health', error, { part: 'local' })
    return { queue: 'away' }
  }
}
