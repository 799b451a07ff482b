/** What may happen to a call: nothing is done; it is done, but an error is told; nobody answers; nonsense is answered. */
export type Kind = 'fails' | 'does and fails' | 'hangs' | 'garbage'

/**
 * How each part of the platform, by its binding, can fail. A database or a queue that says it stored what it did not is survived by
 * nobody, so those never answer nonsense.
 */
export const KINDS = {
  DB: ['fails', 'does and fails', 'hangs'],
  EVENTS: ['fails', 'does and fails', 'hangs'],
  NOTIFICATIONS: ['fails', 'does and fails', 'hangs'],
  CACHE: ['fails', 'does and fails', 'hangs', 'garbage'],
  APPLICATIONS: ['fails', 'does and fails', 'hangs', 'garbage'],
} as const satisfies Record<string, readonly Kind[]>

export type Part = keyof typeof KINDS

export interface Fault {
  readonly part: Part
  readonly kind: Kind
  /** The share of the calls that fail, from 0 to 1. */
  readonly share: number
}

/** Where the worker is told its faults, as JSON. */
export const FAULTS_PATH = '/faults'

/** Where the worker is told the time, as milliseconds since 1970, and does what cron does for notifications. */
export const CRON_PATH = '/faults/cron'

/** Where the worker lists the messages of all webhooks, in the order of their moments. */
export const MESSAGES_PATH = '/faults/messages'

/** Where the worker says what each application has stored, without faults (`Stored`). */
export const STORED_PATH = '/faults/stored'

/** Events that an application has stored of a round. */
export interface Stored {
  readonly project: string
  readonly round: number
  readonly events: number
}

/** Where the worker spreads the users of an application without events over more objects (`{ project, objects }`). */
export const SPREAD_PATH = '/faults/spread'

/** Where the worker names the tables that contain one of these texts (a list of them), without faults. */
export const TRACES_PATH = '/faults/traces'

/** Begins the lines of the log in which the worker says that it saw a rare state. */
export const SEEN = 'rare state: '

/** A message as the database has it. */
export interface Message {
  readonly id: string
  readonly subscription: string
  readonly at: number
  readonly status: string
  /** Null once it is done. */
  readonly tryAt: number | null
  /** Whether its subscription is on. */
  readonly isOn: number
}

/** Webhooks are tried again after minutes, so the clock of notifications runs faster; a try that hangs must still end before it is given up. */
export const SPEED = 8

/** An address of the public internet behind which the worker reaches a server on loopback: `/PORT/name`. */
export const RECEIVER = 'https://93.184.215.14'
