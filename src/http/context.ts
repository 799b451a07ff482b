import type { Access } from '../access/access.ts'
import type { Visitor } from '../access/sessions.ts'
import type { BatchDatabase } from '../storage/database.ts'

/** What the handling of one request may use, besides its input. */
export interface RequestContext {
  /** For look-ups by key and for writes, which must be quick. */
  readonly db: BatchDatabase
  /** The same database with a longer timeout, for questions. */
  readonly questions: BatchDatabase
  readonly env: Env
  readonly access: Access
  /** When the request arrived: milliseconds since 1970 UTC. The only clock a request sees. */
  readonly now: number
  /** Milliseconds since then. */
  readonly elapsed: () => number
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
    /** The request's id in its answer and in the log. Always made here: a client's own `x-request-id` is ignored. */
    requestId: string
    /** The operation asked for, once it is known. */
    operation?: OperationName
    access: Access
    /** Who looks at a page, once it is known that somebody is signed in. */
    visitor: Visitor
    /** Headers of the answer. */
    headers: Record<string, string>
    /** Whether the answer was made with these headers already. */
    hasHeaders?: boolean
    db: BatchDatabase
    questions: BatchDatabase
    now: number
    elapsed: () => number
    defer: (work: Promise<unknown>) => void
  }
}

interface OperationName {
  readonly operationId: string
  /** The template: a path itself may name somebody. */
  readonly path: string
}
