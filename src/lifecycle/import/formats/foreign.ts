import { propertyOf } from '../../../base/event.ts'
import { toIso } from '../../../base/time/days.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import { type IdentitySource, identify } from '../../../collection/identity.ts'
import { isObject } from '../../../collection/params.ts'
import { toUserId } from '../../../collection/wire.ts'
import { CONTEXT_NAMES } from '../../export/names.ts'
import { Refusal } from '../refusal.ts'

export type ForeignFields = Readonly<Record<string, unknown>>

/** An event of another service, by our names. Values are unchanged. */
export interface ForeignEvent {
  readonly name: unknown
  readonly time: unknown
  readonly user: unknown
  /** The event's id in the other service; null if it has none. */
  readonly id: string | null
  readonly session?: unknown
  readonly context: ForeignFields
  readonly params: unknown
  /** The whole event, which identifies it if it has no id. */
  readonly content: unknown
}

/** The line of an export for this event. Throws `Refusal`. */
export function toLine(event: ForeignEvent): string {
  const time = parseInstant(event.time)
  if (time === null) throw new Refusal(`time: ${shown(event.time)} is not a time`)
  if (typeof event.name !== 'string' || event.name === '') throw new Refusal('name: The event has no name')
  const telegramId = readUser(event.user)
  const { key, id, formerId } = identify(sourceOf(event, telegramId), { scope: 'full', isTimeAssigned: false })
  return JSON.stringify({
    name: event.name,
    time: toIso(time),
    telegram_id: telegramId,
    event_id: id,
    former_event_id: formerId,
    key,
    session: toWord(event.session),
    context: toContext(event.context),
    params: isObject(event.params) && Object.keys(event.params).length > 0 ? event.params : null,
  })
}

function sourceOf({ id, content }: ForeignEvent, telegramId: number): IdentitySource {
  return id === null ? { kind: 'content', content } : { kind: 'event-id', eventId: id, telegramId }
}

function readUser(user: unknown): number {
  const telegramId = toUserId(user)
  if (telegramId !== null) return telegramId
  throw new Refusal(`user: ${shown(user)} is not a messenger id, which is a positive whole number`)
}

const SHOWN_CHARACTERS = 60

function shown(value: unknown): string {
  return value === undefined || value === '' ? 'Nothing' : (JSON.stringify(value) ?? '').slice(0, SHOWN_CHARACTERS)
}

/** A text, or the text of a number; null for anything else. */
export function toWord(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function toContext(fields: ForeignFields): Record<string, string | boolean> {
  const context: Record<string, string | boolean> = {}
  for (const [name, property] of CONTEXT_NAMES) {
    const value = propertyOf(property).type === 'flag' ? toFlag(fields[name]) : toWord(fields[name])
    if (value !== null) context[name] = value
  }
  return context
}

/** A flag, or the word for it; null for anything else. */
export function toFlag(value: unknown): boolean | null {
  const flag = typeof value === 'string' ? value.toLowerCase() : value
  if (flag === true || flag === 'true') return true
  return flag === false || flag === 'false' ? false : null
}

/** An object, or the object in a JSON text; otherwise an empty one. */
export function toFields(value: unknown): ForeignFields {
  if (typeof value !== 'string') return isObject(value) ? value : {}
  try {
    return toFields(JSON.parse(value))
  } catch {
    return {}
  }
}
