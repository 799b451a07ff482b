import type { Access } from './accounts/access.ts'
import type { BatchDatabase } from './storage/database.ts'

/** What the handling of one request may use, besides its input. */
export interface RequestContext {
  /** For what comes at once: rows by their keys, and writes. */
  readonly db: BatchDatabase
  /** The same database, for what may take long. */
  readonly questions: BatchDatabase
  readonly env: Env
  readonly access: Access
  /** When the request arrived: milliseconds since 1970 UTC. The only clock a request sees. */
  readonly now: number
  readonly request: Request
  /** Adds a header to the answer. */
  readonly setHeader: (name: string, value: string) => void
  /** Lets work go on after the answer. */
  readonly defer: (work: Promise<unknown>) => void
}

/** What Hono carries with each request. Read with `c.get`: `c.var` copies all of it each time. */
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
    questions: BatchDatabase
    now: number
    defer: (work: Promise<unknown>) => void
  }
}

interface OperationName {
  readonly operationId: string
  /** The template: a path itself may name somebody. */
  readonly path: string
}
