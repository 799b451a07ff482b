import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { finishHeaders, startHeaders } from '../http/secure-headers.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
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
  c.set('defer', (work) => c.executionCtx.waitUntil(work))
  await next()
  finishHeaders(c)
  logRequest(c, Date.now() - start)
}

interface Databases {
  readonly binding: D1Database
  readonly db: BatchDatabase
  readonly questions: BatchDatabase
}

let opened: Databases | null = null

/** Opened once per isolate: that alone took a tenth of a warm answer. */
export function databasesOf(binding: D1Database): Databases {
  if (opened?.binding !== binding) {
    opened = { binding, db: openDatabase(binding, 'lookUp'), questions: openDatabase(binding, 'question') }
  }
  return opened
}
