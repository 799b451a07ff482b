import { createHash } from 'node:crypto'
import type { CollectingScope } from '../accounts/api-keys.ts'
import { isObject } from './params.ts'

export const KEY_BELOW = 2 ** 47
/** Of an id those digits that its key is made of. */
const KEY_DIGITS = 12

/** What makes two sendings the same event. */
export type Source =
  | { readonly kind: 'event-id'; readonly eventId: string }
  | { readonly kind: 'sealed'; readonly opened: Buffer }
  | { readonly kind: 'content'; readonly content: unknown }

export interface Identity {
  readonly key: number
  /**
   * 16 bytes in hexadecimal, by which an event is known although its name, time or user may differ on a resend; null for
   * events that are always the same.
   */
  readonly id: string | null
  /**
   * Whether the id is to be stored, which costs one more row: for an `event_id` of the sender, and for a time that a resend
   * may not have. Any other sealed event only asks whether it came before with a time of its arrival.
   */
  readonly claimsId: boolean
}

interface Sending {
  /** Of the key that sends it. */
  readonly scope: CollectingScope
  /** Whether a resend may come to another time: it was set by the arrival, or moved by the difference of two clocks. */
  readonly isTimeOurs: boolean
}

/**
 * What an event is known by. Identities of different scopes never meet: otherwise whoever reads a client key in a page's
 * source could use up the ids of a server's events.
 */
export function identify(source: Source, { scope, isTimeOurs }: Sending): Identity {
  const digest = createHash('sha256').update(NAME_SPACES[scope]).update(source.kind).update(toBytes(source)).digest()
  const hasId = source.kind !== 'content' || isTimeOurs
  const id = digest.toString('hex', 0, 16)
  return {
    key: keyOfId(id),
    id: hasId ? id : null,
    claimsId: source.kind === 'event-id' || isTimeOurs,
  }
}

/** The key of what has this id, 16 bytes in hexadecimal. */
export function keyOfId(id: string): number {
  return Number.parseInt(id.slice(0, KEY_DIGITS), 16) % KEY_BELOW
}

/** Empty for full keys, as it was before client keys got their own: events stored then are still recognised. */
const NAME_SPACES: Readonly<Record<CollectingScope, string>> = { full: '', client: 'client ' }

function toBytes(source: Source): Buffer | string {
  // As JSON, so that ids with broken surrogates stay different.
  if (source.kind === 'event-id') return JSON.stringify(source.eventId)
  return source.kind === 'sealed' ? source.opened : canonicalJson(source.content)
}

/** The same text for the same JSON value, in whatever order its keys were written. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (isObject(item) ? sortKeys(item) : item))
}

function sortKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
