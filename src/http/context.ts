import type { Access } from '../access/access.ts'
import type { Actor } from '../access/audit.ts'
import type { Visitor } from '../access/sessions.ts'
import type { BatchDatabase } from '../storage/database.ts'

/** A cohort that a request refers to, and where: the path of the filter or group. */
export interface CohortReference {
  readonly name: string
  readonly path: readonly (string | number)[]
}

/**
 * Finds the rules of cohorts as they are today. Throws `Invalid` for unknown names. A rule may refer to any question, so only the room
 * of questions knows its type.
 */
type FindCohorts = (
  references: readonly CohortReference[],
  asker: Pick<RequestContext, 'access' | 'db' | 'now'>,
) => Promise<unknown>

/** What the handling of one request may use, besides its input. */
export interface RequestContext {
  /** For look-ups by key and for writes, which must be quick. */
  readonly db: BatchDatabase
  /** The database with a longer timeout, for questions. */
  readonly questions: BatchDatabase
  readonly env: Env
  readonly access: Access
  /** Returns the actor for the audit list. */
  readonly actor: () => Actor
  /** When the request arrived: milliseconds since 1970 UTC. The only clock a request sees. */
  readonly now: number
  /** Milliseconds since then. */
  readonly elapsed: () => number
  readonly request: Request
  readonly setHeader: (name: string, value: string) => void
  /** Adds a sentence to the `warnings` of the answer, about a name that the request has. */
  readonly warn: (sentence: string, name: string) => void
  /** Continues work after the response is sent. */
  readonly defer: (work: Promise<unknown>) => void
  readonly findCohorts: FindCohorts
}

/** What Hono carries with each request. Read with `c.get`: `c.var` copies all of it each time. */
export interface AppEnv {
  Bindings: Env
  Variables: Pick<RequestContext, 'access' | 'db' | 'questions' | 'now' | 'elapsed' | 'defer' | 'findCohorts'> & {
    /** The request's id in its response and in the log. Always made here: a client's own `x-request-id` is ignored. */
    requestId: string
    /** The operation, once it is known. `path` is the template: a path itself may name a person. */
    operation?: { readonly operationId: string; readonly path: string }
    /** The visitor of a page, set once somebody is known to be signed in. */
    visitor: Visitor
    /** The scheme that a 401 asks for, if it is not that of keys. */
    challenge?: 'Bearer'
    headers: Record<string, string>
    /** Whether the response was created with these headers. */
    hasHeaders?: boolean
  }
}
