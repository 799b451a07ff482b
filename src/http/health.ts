import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { logError } from '../log.ts'
import { withTimeout } from '../time/with-timeout.ts'

type Part = 'ok' | 'away'

interface Health {
  readonly database: Part
  readonly cache: Part
}

/** However often it is asked, an isolate checks only this often. */
const LOOK_EVERY_MS = 5_000
const TIMEOUT_MS = 3_000

let known: { readonly health: Health; readonly at: number } | null = null
let lookingSince = 0

/**
 * Says whether the database and the cache answer: 200, or 503 with what does not. Needs no key. While one request looks,
 * others are told what was seen last.
 */
export async function health(c: Context<AppEnv>): Promise<Response> {
  c.set('operation', { operationId: 'health', path: '/health' })
  const now = c.get('now')
  const isFresh = known !== null && now - known.at < LOOK_EVERY_MS
  const isLooking = known !== null && now - lookingSince < TIMEOUT_MS
  const found = known && (isFresh || isLooking) ? known.health : await lookNow(c, now)
  const isWell = found.database === 'ok' && found.cache === 'ok'
  if (!isWell) c.header('Retry-After', String(LOOK_EVERY_MS / 1000))
  return c.json({ status: isWell ? 'ok' : 'unavailable', ...found }, isWell ? 200 : 503)
}

async function lookNow(c: Context<AppEnv>, now: number): Promise<Health> {
  lookingSince = now
  const { DB, CACHE } = c.env
  const [database, cache] = await Promise.all([
    see('database', () => DB.prepare('select 1').first()),
    see('cache', () => CACHE.get('health')),
  ])
  known = { health: { database, cache }, at: now }
  lookingSince = 0
  return known.health
}

async function see(what: keyof Health, look: () => Promise<unknown>): Promise<Part> {
  try {
    await withTimeout(look(), TIMEOUT_MS)
    return 'ok'
  } catch (error) {
    logError('health', error, { part: what })
    return 'away'
  }
}
