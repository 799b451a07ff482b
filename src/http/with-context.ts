import type { MiddlewareHandler } from 'hono'
import type { Access } from '../accounts/access.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { logRequest } from './request-log.ts'
import { finishHeaders, startHeaders } from './secure-headers.ts'

/** Read with `c.get`: `c.var` copies them all each time. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    /** Names the request in its answer and in the log. Always ours: what a client sends under that name is not believed. */
    requestId: string
    /** The operation asked for, once it is known. */
    operation?: OperationName
    access: Access
    /** What the answer says in its headers, beside what belongs to its kind. */
    headers: Record<string, string>
    /** Whether the answer was made with them. */
    hasHeaders?: boolean
    db: BatchDatabase
    now: number
    defer: (work: Promise<unknown>) => void
  }
}

interface OperationName {
  readonly operationId: string
  /** The template: a path itself may name somebody. */
  readonly path: string
}

/** Gives every request its id, its database and its one reading of the clock; its answer what all have; the log its line. */
export const withContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  const start = Date.now()
  const requestId = crypto.randomUUID()
  c.set('requestId', requestId)
  c.set('headers', startHeaders(requestId))
  c.set('db', databaseOf(c.env.DB))
  c.set('now', start)
  c.set('defer', (work) => c.executionCtx.waitUntil(work))
  await next()
  finishHeaders(c)
  logRequest(c, Date.now() - start)
}

let opened: BatchDatabase | null = null

/** Opened once per isolate: that alone took a tenth of a warm answer. */
export function databaseOf(binding: D1Database): BatchDatabase {
  if (opened?.$client !== binding) opened = openDatabase(binding)
  return opened
}
