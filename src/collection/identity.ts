import { createHash } from 'node:crypto'
import type { CollectingScope } from '../access/api-keys.ts'

export const KEY_BELOW = 2 ** 47
/** The leading digits of an id that make its key. */
const KEY_DIGITS = 12
/** Ids that one row can hold. */
export const MEMBERS = 32

/** What makes two sendings the same event. */
export type IdentitySource =
  | { readonly kind: 'event-id'; readonly eventId: string; readonly telegramId: number }
  | { readonly kind: 'sealed'; readonly opened: Buffer }
  | { readonly kind: 'content'; readonly content: unknown }

export interface Identity {
  readonly key: number
  /**
   * 16 bytes in hexadecimal, which identify an event whose name or time may differ on a resend; null for events that are always the
   * same.
   */
  readonly id: string | null
  /**
   * Whether the id is stored, which costs a row (`memberOf`): for an `event_id` of the sender, and where a resend may get another time. Any
   * other sealed event only looks whether it came before with the time of its arrival.
   */
  readonly claimsId: boolean
  /**
   * For an event with an `event_id`: the id that release a465e32 stored it under, which belonged to no user. It is only looked up, to
   * recognise events of that release.
   */
  readonly formerId?: string
}

interface Sending {
  /** The scope of the key that sends it. */
  readonly scope: CollectingScope
  /** Whether a resend may get another time: it was set by the arrival, or moved by the difference of two clocks. */
  readonly isTimeAssigned: boolean
}

/**
 * What identifies an event, of one user. Identities of different scopes never meet: otherwise anybody who reads a client key in a page's
 * source could use up the ids of a server's events.
 */
export function identify(source: IdentitySource, { scope, isTimeAssigned }: Sending): Identity {
  const nameSpace = `${NAME_SPACES[scope]}${source.kind}`
  const toId = (bytes: Buffer | string) => hashOf(nameSpace, bytes).slice(0, ID_DIGITS)
  if (source.kind === 'event-id') {
    const id = idOfSender(source, toId)
    // As JSON, so that ids with broken surrogates stay different.
    return { key: keyOfId(id), id, claimsId: true, formerId: toId(JSON.stringify(source.eventId)) }
  }
  const id = toId(source.kind === 'sealed' ? source.opened : canonicalJson(source.content))
  return { key: keyOfId(id), id: source.kind === 'sealed' || isTimeAssigned ? id : null, claimsId: isTimeAssigned }
}

const ID_DIGITS = 32

type IdOfSender = Extract<IdentitySource, { kind: 'event-id' }>

/** A text, `#` and a whole number. */
const NUMBERED = /^(.*)#(0|[1-9]\d{0,8})$/s

/** Numbered ids of one text share a row, 32 each. */
function idOfSender({ eventId, telegramId }: IdOfSender, toId: (text: string) => string): string {
  const [, text, digits] = NUMBERED.exec(eventId) ?? []
  if (text === undefined) return toId(JSON.stringify([eventId, telegramId]))
  const number = Number(digits)
  const { row } = memberOf(toId(JSON.stringify([text, Math.floor(number / MEMBERS), telegramId])))
  return withByte(row, byteOf(row) + (number % MEMBERS))
}

/** Where an id is stored. */
export interface Membership {
  /** The first of the ids that the row can hold, in hexadecimal. */
  readonly row: string
  readonly member: number
}

/**
 * A row of `event_ids` holds up to 32 ids, which differ in the last five bits of their first six bytes: of these bits the member's number
 * is made, and they are 0 in the row's own id. So numbered ids lie together, and any other id has a row to itself.
 */
export function memberOf(id: string): Membership {
  const member = byteOf(id) % MEMBERS
  return { row: withByte(id, byteOf(id) - member), member }
}

/** The last byte that is part of the key. */
function byteOf(id: string): number {
  return Number.parseInt(id.slice(KEY_DIGITS - 2, KEY_DIGITS), 16)
}

function withByte(id: string, byte: number): string {
  return id.slice(0, KEY_DIGITS - 2) + byte.toString(16).padStart(2, '0') + id.slice(KEY_DIGITS)
}

/** In hexadecimal. A call of the hash takes longer than its work, so a text goes into it in one. */
function hashOf(nameSpace: string, bytes: Buffer | string): string {
  const hash = createHash('sha256')
  if (typeof bytes === 'string') hash.update(nameSpace + bytes)
  else hash.update(nameSpace).update(bytes)
  return hash.digest('hex')
}

/** The key of an event with this id, 16 bytes in hexadecimal. */
export function keyOfId(id: string): number {
  return Number.parseInt(id.slice(0, KEY_DIGITS), 16) % KEY_BELOW
}

/** Part of every stored identity, so they never change. */
const NAME_SPACES: Readonly<Record<CollectingScope, string>> = { full: '', client: 'client ' }

/** Writes a JSON value with its keys in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(isSorted(value) ? value : sorted(value))
}

/** Whether all keys are in the order that `sorted` gives them: then nothing is to be copied. */
function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSorted)
  let last = ''
  for (const key in value) {
    if (key < last || !isSorted((value as Record<string, unknown>)[key])) return false
    last = key
  }
  return true
}

/** JavaScript has keys that are whole numbers before all others, which is part of stored identities. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) {
    const item = sorted((value as Record<string, unknown>)[key])
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true })
    else copy[key] = item
  }
  return copy
}
