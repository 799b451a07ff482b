import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { finishHeaders, startHeaders } from '../http/secure-headers.ts'
import { rememberLast } from '../http/warm-path.ts'
import { openDatabase } from '../storage/database.ts'
import { logRequest } from './request-log.ts'

/** Sets up what each request needs (id, database, clock), completes the headers of its answer and logs it. */
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

/** The database with a short timeout for look-ups, and with a longer one for questions. */
export const databasesOf = rememberLast((binding: D1Database) => ({
  db: openDatabase(binding, 'lookUp'),
  questions: openDatabase(binding, 'question'),
}))
