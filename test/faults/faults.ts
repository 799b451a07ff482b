/** What may happen to a call: nothing is done; it is done, but an error is told; nobody answers; nonsense is answered. */
export type Kind = 'fails' | 'does and fails' | 'hangs' | 'garbage'

/**
 * How each part of the platform, by its binding, can fail. A database or a queue that says it stored what it did not is survived by
 * nobody, so those two never answer nonsense.
 */
export const KINDS = {
  DB: ['fails', 'does and fails', 'hangs'],
  EVENTS: ['fails', 'does and fails', 'hangs'],
  CACHE: ['fails', 'does and fails', 'hangs', 'garbage'],
  APPLICATIONS: ['fails', 'does and fails', 'hangs', 'garbage'],
} as const satisfies Record<string, readonly Kind[]>

export type Part = keyof typeof KINDS

export interface Fault {
  readonly part: Part
  readonly kind: Kind
  /** Of the calls, from 0 to 1. */
  readonly share: number
}

/** Where the worker is told its faults, as JSON. */
export const FAULTS_PATH = '/faults'
