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
