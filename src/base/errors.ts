/** One fault of a request in the format of pydantic: where (`body`, `query`, …, then the field), what, and its kind. */
export interface Fault {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export type FailureKind =
  | 'key-missing'
  | 'key-unknown'
  | 'not-verified'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'not-json'
  | 'too-many'
  | 'unavailable'

interface FailureOptions extends ErrorOptions {
  /** When the same request may succeed. */
  readonly retryAfterSeconds?: number
}

/** A failure that is reported to the caller; `message` is a complete sentence for them. */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly retryAfterSeconds: number | undefined

  constructor(kind: FailureKind, message: string, { retryAfterSeconds, ...options }: FailureOptions = {}) {
    super(message, options)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Input that violates its contract, with all faults of the request. */
export class Invalid extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(`${faults.length} invalid value(s)`)
    this.faults = faults
  }
}
