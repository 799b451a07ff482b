import type { MiddlewareHandler } from 'hono'
import type { Access } from '../accounts/access.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    access: Access
    db: BatchDatabase
    now: number
    defer: (work: Promise<unknown>) => void
  }
}

/** Gives every request its database and its one reading of the clock. */
export const withContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.set('db', databaseOf(c.env.DB))
  c.set('now', Date.now())
  c.set('defer', (work) => c.executionCtx.waitUntil(work))
  await next()
}

const databases = new WeakMap<D1Database, BatchDatabase>()

/** Opened once per isolate: that alone took a tenth of a warm answer. */
function databaseOf(binding: D1Database): BatchDatabase {
  const known = databases.get(binding)
  if (known) return known
  const database = openDatabase(binding)
  databases.set(binding, database)
  return database
}
