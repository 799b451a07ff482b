import { randomUUID } from 'node:crypto'
import { hashSecret } from './secrets.ts'

/** The most seconds for which a copy of what a key opens is used. */
export const COPY_SECONDS = 75
/** The most seconds until changes of keys and settings take effect everywhere: a request may have begun with an old copy. */
export const EFFECT_SECONDS = 90

/** What a key opens: everything, all questions, or what tracking clients need. */
export const SCOPES = ['full', 'read', 'client'] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes of keys that collect events. */
export type CollectingScope = Exclude<Scope, 'read'>

/** Whether an assistant with a new key of this scope sees individual users, unless its maker says otherwise. */
export function showsPersonsByDefault(scope: Scope): boolean {
  return scope === 'full'
}

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

/** Whether a text has the form of a key, a UUID of version 4. Anything else is not looked up. */
export function isKey(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
}

export const KEY_ID = /^[0-9a-f]{16}$/

/** Identifies a key without revealing it: the first 16 characters of its hash. */
export function keyId(hash: string): string {
  return hash.slice(0, 16)
}
