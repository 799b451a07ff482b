import type { Access } from './accounts/access.ts'
import type { BatchDatabase } from './storage/database.ts'

/** What the handling of one request may use, besides its input. */
export interface RequestContext {
  readonly db: BatchDatabase
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
