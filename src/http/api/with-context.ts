import type { Context, MiddlewareHandler } from 'hono'
import type { Access } from '../../access/access.ts'
import { logInfo } from '../../base/log.ts'
import { openDatabase } from '../../storage/database.ts'
import { countOne } from '../../storage/handing-over.ts'
import type { AppEnv } from '../context.ts'
import { rememberLast } from '../warm-path.ts'

/** The header that identifies the request in every response. */
export const REQUEST_ID = 'x-request-id'

/** Responses of an API are data: nothing may run, frame or cache them. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Sets up what each request needs (id, databases, clock), completes the headers of its response and logs it. */
export const withContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  const start = Date.now()
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  c.set('headers', { ...HEADERS, [REQUEST_ID]: requestId })
  const { db, questions } = databasesOf(c.env.DB)
  c.set('db', db)
  c.set('questions', questions)
  c.set('now', start)
  c.set('elapsed', () => Date.now() - start)
  c.set('defer', (work) => c.executionCtx.waitUntil(work))
  await next()
  finishHeaders(c)
  // A preflight has no operation yet.
  if (c.req.method === 'OPTIONS') return
  logRequest(c, Date.now() - start)
  const labels = `{operation="${c.get('operation')?.operationId ?? ''}",status="${c.res.status}"}`
  countOne(`mauve_requests_total${labels}`, { env: c.env, context: c.executionCtx, now: start })
}

/** Adds the headers set so far. Those of the response win: a page brings its own `content-security-policy`. */
function finishHeaders(c: Context<AppEnv>): void {
  if (c.get('hasHeaders')) return
  const { headers } = c.res
  for (const [name, value] of Object.entries(c.get('headers'))) if (!headers.has(name)) headers.set(name, value)
}

/** One line per request, with the operation's path template: the path itself may name a person. */
function logRequest(c: Context<AppEnv>, ms: number): void {
  const operation = c.get('operation')
  const access: Access | undefined = c.get('access')
  logInfo('request', {
    request_id: c.get('requestId'),
    operation: operation?.operationId ?? null,
    method: c.req.method,
    path: operation?.path ?? null,
    status: c.res.status,
    ms,
    application: access?.application?.id ?? null,
  })
}

/** The database with a short timeout for look-ups, and with a longer one for questions. */
export const databasesOf = rememberLast((binding: D1Database) => ({
  db: openDatabase(binding, 'lookUp'),
  questions: openDatabase(binding, 'question'),
}))
