import { createHash } from 'node:crypto'
import { isObject } from './params.ts'

const KEY_BELOW = 2 ** 47

/** What makes two sendings the same event. */
export type Source =
  | { readonly kind: 'event-id'; readonly eventId: string }
  | { readonly kind: 'sealed'; readonly opened: Buffer }
  | { readonly kind: 'content'; readonly content: unknown }

export interface Identity {
  readonly key: number
  /**
   * Set for an event that must be known again although its name, time or user may differ on a resend: by its sender's
   * `event_id`, or because its time was set by its arrival. Such events cost one more row.
   */
  readonly id: string | null
}

export function identify(source: Source, { arrivalTimed }: { arrivalTimed: boolean }): Identity {
  const digest = createHash('sha256').update(source.kind).update(toBytes(source)).digest()
  const isExplicit = source.kind === 'event-id' || arrivalTimed
  return { key: digest.readUIntBE(0, 6) % KEY_BELOW, id: isExplicit ? digest.toString('hex', 0, 16) : null }
}

function toBytes(source: Source): Buffer | string {
  if (source.kind === 'event-id') return source.eventId
  return source.kind === 'sealed' ? source.opened : canonicalJson(source.content)
}

/** The same text for the same JSON value, in whatever order its keys were written. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (isObject(item) ? sortKeys(item) : item))
}

function sortKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
