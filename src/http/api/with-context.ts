import type { Context, MiddlewareHandler } from 'hono'
import type { Access } from '../../access/access.ts'
import { logInfo } from '../../base/log.ts'
import { openDatabase } from '../../storage/database.ts'
import type { AppEnv } from '../context.ts'
import { finishHeaders, startHeaders } from '../secure-headers.ts'
import { rememberLast } from '../warm-path.ts'

/** Sets up what each request needs (id, databases, clock), completes the headers of its response and logs it. */
export const withContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  const start = Date.now()
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  c.set('headers', startHeaders(requestId))
  const { db, questions } = databasesOf(c.env.DB)
  c.set('db', db)
  c.set('questions', questions)
  c.set('now', start)
  c.set('elapsed', () => Date.now() - start)
  c.set('defer', (work) => c.executionCtx.waitUntil(work))
  await next()
  finishHeaders(c)
  logRequest(c, Date.now() - start)
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
