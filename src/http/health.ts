import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { logError } from '../log.ts'
import { type Fill, isFillingUp, readFills } from '../storage/fill.ts'
import { withTimeout } from '../time/with-timeout.ts'

type Part = 'ok' | 'away'

interface Health {
  readonly database: Part
  readonly cache: Part
  /** Those that near their end, and those beside the first that do not answer. */
  readonly databases: readonly Fill[]
}

/** However often it is asked, an isolate checks only this often. */
const LOOK_EVERY_MS = 5_000
const TIMEOUT_MS = 3_000

let known: { readonly health: Health; readonly at: number } | null = null
let lookingSince = 0

/**
 * Says whether the database and the cache answer: 200, or 503 with what does not. What is told of single databases comes with
 * 200: collection goes on. Needs no key. While one request looks, others are told what was seen last.
 */
export async function health(c: Context<AppEnv>): Promise<Response> {
  c.set('operation', { operationId: 'health', path: '/health' })
  const now = c.get('now')
  const isFresh = known !== null && now - known.at < LOOK_EVERY_MS
  const isLooking = known !== null && now - lookingSince < TIMEOUT_MS
  const { databases, ...parts } = known && (isFresh || isLooking) ? known.health : await lookNow(c, now)
  if (parts.database === 'away' || parts.cache === 'away') {
    c.header('Retry-After', String(LOOK_EVERY_MS / 1000))
    return c.json({ status: 'unavailable', ...parts }, 503)
  }
  return c.json(databases.length > 0 ? { status: 'degraded', ...parts, databases } : { status: 'ok', ...parts })
}

async function lookNow(c: Context<AppEnv>, now: number): Promise<Health> {
  lookingSince = now
  const [fills, cache] = await Promise.all([readFills(c.env), seeCache(c.env)])
  const database = fills[0]?.percent === null ? 'away' : 'ok'
  const databases = fills.filter((fill) => fill.percent === null || isFillingUp(fill))
  known = { health: { database, cache, databases }, at: now }
  lookingSince = 0
  return known.health
}

async function seeCache({ CACHE }: Env): Promise<Part> {
  try {
    await withTimeout(CACHE.get('health'), TIMEOUT_MS)
    return 'ok'
  } catch (error) {
    logError('health', error, { part: 'cache' })
    return 'away'
  }
}
