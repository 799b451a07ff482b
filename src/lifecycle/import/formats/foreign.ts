import { propertyOf } from '../../../base/event.ts'
import { toIso } from '../../../base/time/days.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import { type IdentitySource, identify } from '../../../collection/identity.ts'
import { isObject } from '../../../collection/params.ts'
import { toUserId } from '../../../collection/wire.ts'
import { CONTEXT_NAMES } from '../../export/names.ts'
import { Refusal } from '../refusal.ts'

export type ForeignFields = Readonly<Record<string, unknown>>

/** An event of another service, in our words. Values are as they were found. */
export interface ForeignEvent {
  readonly name: unknown
  readonly time: unknown
  readonly user: unknown
  /** By which the other service knows it again; null where it has none. */
  readonly id: string | null
  readonly session?: unknown
  /** By the wire names of contexts. */
  readonly context: ForeignFields
  readonly params: unknown
  /** The whole of it, which it is known by where it has no id. */
  readonly content: unknown
}

/** The line of an export that this event would have. Throws `Refusal`. */
export function toLine(event: ForeignEvent): string {
  const time = parseInstant(event.time)
  if (time === null) throw new Refusal(`time: ${shown(event.time)} is no moment`)
  if (typeof event.name !== 'string' || event.name === '') throw new Refusal('name: The event has none')
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
  throw new Refusal(`user: ${shown(user)} is no id of the messenger, which is a positive whole number`)
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

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
])

/** A flag, or the word for it; null for anything else. */
export function toFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return FLAGS.get(typeof value === 'string' ? value.toLowerCase() : value) ?? null
}

/** An object, also where it is a text of JSON; else nothing. */
export function toFields(value: unknown): ForeignFields {
  if (typeof value !== 'string') return isObject(value) ? value : {}
  try {
    return toFields(JSON.parse(value))
  } catch {
    return {}
  }
}
