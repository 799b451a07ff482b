import {
  charactersOf,
  type Event,
  type EventProperties,
  mapProperties,
  type PropertyName,
  propertyOf,
} from '../../base/event.ts'
import { toName, toText } from '../../base/text/text.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { KEY_BELOW, keyOfId } from '../../collection/identity.ts'
import { isObject, toParams, toShallow } from '../../collection/params.ts'
import { timeFaults } from '../../collection/time-bounds.ts'
import { readWallet } from '../../collection/wallet.ts'
import { toUserId, type Wire } from '../../collection/wire.ts'
import { CONTEXT_NAMES } from '../export/names.ts'
import { Refusal } from './refusal.ts'

/** Deeper than parameters are stored. Without a bound, recursion over a line could exhaust the stack. */
const MAX_DEPTH = 32

/** Reads an event as an export writes it; its wallet follows from its parameters. Throws `Refusal`. */
export function readEvent(line: Wire, now: number): Event {
  if (typeof line.name !== 'string') throw new Refusal('name: Input should be a valid string')
  const name = toName(line.name)
  const given = toShallow(readParams(line), MAX_DEPTH)
  const { volume, ...wallet } = readWallet(name, given)
  return {
    name,
    time: readTime(line, now),
    telegramId: readUserId(line),
    ...readIdentity(line),
    session: readText(line.session, 'session'),
    properties: { ...readContext(line.context), ...wallet },
    volume,
    params: toParams(given).json,
  }
}

/** Within the bounds that collection sets for servers. */
function readTime({ time: given }: Wire, now: number): number {
  const time = parseInstant(given)
  if (time === null) throw new Refusal('time: Input should be ISO 8601, or Unix time')
  const [fault] = timeFaults(time, { now, scope: 'full' })
  if (fault) throw new Refusal(`time: ${fault.msg}`)
  return time
}

/** Throws `Refusal`. */
export function readUserId({ telegram_id: given }: Wire): number {
  const telegramId = toUserId(given)
  if (telegramId !== null) return telegramId
  throw new Refusal('telegram_id: Input should be the id of a user in the messenger, a positive whole number')
}

type Identity = Pick<Event, 'id' | 'key' | 'claimsId' | 'formerId'>

function readIdentity({ event_id: id = null, former_event_id: formerId, key }: Wire): Identity {
  if (id === null) return { id, key: readKey(key), claimsId: false }
  if (!isId(id)) throw new Refusal('event_id: Input should be 32 hexadecimal digits, or null')
  if (key !== undefined && readKey(key) !== keyOfId(id)) throw new Refusal('key: Input should be the key of event_id')
  return { id, key: keyOfId(id), claimsId: true, ...(isId(formerId) ? { formerId } : {}) }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
}

function readKey(key: unknown): number {
  if (typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < KEY_BELOW) return key
  throw new Refusal('key: Input should be a whole number below 2^47')
}

function readText(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new Refusal(`${field}: Input should be a valid string, or null`)
  return toText(value)
}

function readParams({ params = null }: Wire): unknown {
  if (params === null || isObject(params)) return params
  throw new Refusal('params: Input should be an object, or null')
}

/** Throws `Refusal`. */
export function readContext(context: unknown = {}, field = 'context'): EventProperties {
  if (!isObject(context)) throw new Refusal(`${field}: Input should be an object`)
  const known: Partial<Record<PropertyName, string | number | boolean>> = {}
  for (const [wireName, name] of CONTEXT_NAMES) {
    const value = readProperty(name, context[wireName], `${field}.${wireName}`)
    if (value !== null) known[name] = value
  }
  return mapProperties((name) => known[name] ?? null) as EventProperties
}

/** Throws `Refusal`. */
export function readProperty(name: PropertyName, value: unknown, field: string): string | number | boolean | null {
  if (value === undefined || value === null) return null
  const property = propertyOf(name)
  if (property.type === 'text' && typeof value === 'string') {
    const text = toText(value, charactersOf(property))
    return text !== null && property.normalize ? property.normalize(text) : text
  }
  if (property.type === 'flag' && typeof value === 'boolean') return value
  if (property.type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value
  throw new Refusal(`${field}: Input should be a ${WORDS[property.type]}`)
}

const WORDS = { text: 'valid string', flag: 'valid boolean', number: 'valid number' } as const
