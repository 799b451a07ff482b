import { toCountryName } from './country.ts'
import type { Event, EventContext } from './event.ts'
import type { Identity } from './identity.ts'
import { isObject, toParams } from './params.ts'
import { toBoolean, toName, toText } from './text.ts'
import { readWallet } from './wallet.ts'

type Wire = Readonly<Record<string, unknown>>

/** Everything an event says of itself, in whichever shape it came; its time as it was written. */
export type Said = Omit<Event, keyof Identity | 'time'> & { readonly time: unknown }

/** Node's client cuts a greater `telegram_id` off here, and writes the true one into `application_id`. */
const CUT_OFF_ID = 2_147_483_647
/** Clients whose session is a new, meaningless number on every event. */
const WITHOUT_SESSIONS = new Set<unknown>(['Go SDK', 'telemetree_wasm'])

/** Reads an event of either shape; what it says wrongly it does not say. Null where it names no user. */
export function readEvent(wire: Wire): Said | null {
  return isClientShape(wire) ? fromClientShape(wire) : fromServerShape(wire)
}

/** The shape of browsers, .NET and Python 0.2.0; the other one is that of Node, Go and of servers writing plain JSON. */
export function isClientShape(wire: Wire): boolean {
  return 'eventType' in wire || 'telegramID' in wire
}

function fromClientShape(wire: Wire): Said | null {
  const user = toObject(wire.userDetails)
  const details = toObject(wire.eventDetails)
  return assemble({
    name: wire.eventType,
    time: wire.timestamp,
    telegramId: toUserId(wire.telegramID),
    session: wire.sessionIdentifier,
    source: wire.eventSource,
    params: details.params ?? wire.eventparams,
    username: user.username,
    firstname: user.firstName,
    lastname: user.lastName,
    context: {
      ...readContext(wire),
      isPremium: toBoolean(user.isPremium),
      referrerType: toText(wire.referrerType),
      writeAccess: toBoolean(user.writeAccess),
      startParameter: toText(startParameterOf(wire, details)),
    },
  })
}

/** Events of Python 0.2.0 whose start parameter is what the user typed. */
const INLINE_EVENTS = new Set<unknown>(['Inline query', 'Chosen inline query'])

/** Python 0.2.0 repeats a message's whole text as its start parameter, unless the message is `/start <parameter>`. */
function startParameterOf(wire: Wire, details: Wire): unknown {
  const { startParameter, text } = details
  const isTyped = wire.eventSource === 'python-sdk-v2' && (startParameter === text || INLINE_EVENTS.has(wire.eventType))
  return isTyped ? null : startParameter
}

function fromServerShape(wire: Wire): Said | null {
  const cutOff = toUserId(wire.telegram_id) === CUT_OFF_ID
  return assemble({
    name: wire.event_type,
    time: wire.datetime,
    telegramId: (cutOff ? toUserId(wire.application_id) : null) ?? toUserId(wire.telegram_id),
    session: wire.session_id,
    source: wire.event_source,
    params: wire.params,
    username: wire.username,
    firstname: wire.firstname,
    lastname: wire.lastname,
    context: {
      ...readContext(wire),
      isPremium: toBoolean(wire.is_premium),
      referrerType: toText(wire.referrer_type),
      writeAccess: toBoolean(wire.write_access),
      startParameter: toText(wire.start_parameter),
    },
  })
}

/** What both shapes call the same. */
function readContext(wire: Wire) {
  const { language, os, device, brand, model, country, city } = wire
  return {
    language: toText(language),
    os: toText(os),
    device: toText(device),
    brand: toText(brand),
    model: toText(model),
    country: toCountryName(toText(country)),
    city: toText(city),
  }
}

/** The parts of an event, as yet unread but for the user and the context. */
interface Parts extends Record<'name' | 'time' | 'session' | 'source' | 'params' | Name, unknown> {
  readonly telegramId: number | null
  readonly context: EventContext
}

type Name = 'username' | 'firstname' | 'lastname'

function assemble(parts: Parts): Said | null {
  if (parts.telegramId === null) return null
  const name = toName(parts.name)
  return {
    name,
    time: parts.time,
    telegramId: parts.telegramId,
    session: WITHOUT_SESSIONS.has(parts.source) ? null : toText(parts.session),
    context: parts.context,
    username: toText(parts.username),
    firstname: toText(parts.firstname),
    lastname: toText(parts.lastname),
    params: toParams(parts.params),
    wallet: readWallet(name, parts.params),
  }
}

function toObject(value: unknown): Wire {
  return isObject(value) ? value : {}
}

/** A user's id as a number or as its digits; from 1 to 2^53-1. */
export function toUserId(value: unknown): number | null {
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value.trim())
  const id = isDigits ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
}
