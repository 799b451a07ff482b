import { randomUUID } from 'node:crypto'
import { hashSecret } from './secrets.ts'

/** What a key opens: everything, all questions, or what tracking clients need. */
export const SCOPES = ['full', 'read', 'client'] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes of keys that collect events. */
export type CollectingScope = Exclude<Scope, 'read'>

export interface IssuedKey {
  /** The key itself, a UUID of version 4: shown once, never stored. */
  readonly key: string
  readonly hash: string
  readonly lastFour: string
}

export function issueKey(): IssuedKey {
  const key = randomUUID()
  return { key, hash: hashSecret(key), lastFour: key.slice(-4) }
}

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether a text can be a key at all: a UUID of version 4. What cannot is not looked up. */
export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** What a key's id looks like. */
export const KEY_ID = /^[0-9a-f]{16}$/

/** Names a key without telling it: the first 16 characters of its hash. */
export function keyId(hash: string): string {
  return hash.slice(0, 16)
}
