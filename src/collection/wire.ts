import { hasSessions, momentOf, PYTHON, paramsOf, premiumOf, startParameterOf } from './client-quirks.ts'
import { toCountryName } from './country.ts'
import type { Event, EventContext } from './event.ts'
import type { Identity } from './identity.ts'
import { isObject, type LeftOut, toParams } from './params.ts'
import { toBoolean, toContextText, toName, toStartParameter, toText } from './text.ts'
import { readWallet } from './wallet.ts'

type Wire = Readonly<Record<string, unknown>>

/** Everything an event says of itself, in whichever shape it came. */
export interface Said {
  readonly event: Omit<Event, keyof Identity | 'time'>
  /** As it was written. */
  readonly time: unknown
  /** What is not kept of its parameters, by its place in the event. */
  readonly leftOut: readonly LeftOut[]
}

/** Node's client cuts a greater `telegram_id` off here, and writes the true one into `application_id`. */
const CUT_OFF_ID = 2_147_483_647

/** Reads an event of either shape; what it says wrongly it does not say. Null where it names no user. */
export function readEvent(wire: Wire): Said | null {
  return isClientShape(wire) ? fromClientShape(wire) : fromServerShape(wire)
}

/** The shape of browsers, .NET and Python 0.2.0; the other one is that of Node, Go and of servers writing plain JSON. */
export function isClientShape(wire: Wire): boolean {
  return 'eventType' in wire || 'telegramID' in wire
}

/** When an event of either shape happened, as it was written. */
export function timeOf(wire: Wire): unknown {
  return isClientShape(wire) ? wire.timestamp : momentOf(wire)
}

function fromClientShape(wire: Wire): Said | null {
  const user = toObject(wire.userDetails)
  const details = toObject(wire.eventDetails)
  return assemble({
    name: wire.eventType,
    time: timeOf(wire),
    telegramId: toUserId(wire.telegramID),
    session: wire.sessionIdentifier,
    source: wire.eventSource,
    params: paramsOf(wire, details),
    paramsPlace: ['eventDetails', 'params'],
    username: user.username,
    firstname: user.firstName,
    lastname: user.lastName,
    context: {
      ...readContext(wire),
      isPremium: toBoolean(premiumOf(wire, user)),
      referrerType: toContextText(wire.referrerType),
      writeAccess: toBoolean(user.writeAccess),
      startParameter: toStartParameter(startParameterOf(wire, details)),
    },
  })
}

function fromServerShape(wire: Wire): Said | null {
  const isPython = wire.event_source === PYTHON
  const isCutOff = !isPython && toUserId(wire.telegram_id) === CUT_OFF_ID
  return assemble({
    name: wire.event_type,
    time: timeOf(wire),
    telegramId: (isCutOff ? toUserId(wire.application_id) : null) ?? toUserId(wire.telegram_id),
    session: wire.session_id,
    source: wire.event_source,
    params: wire.params,
    paramsPlace: ['params'],
    username: wire.username,
    firstname: wire.firstname,
    lastname: wire.lastname,
    context: {
      ...readContext(wire),
      isPremium: toBoolean(wire.is_premium),
      referrerType: toContextText(wire.referrer_type),
      writeAccess: toBoolean(wire.write_access),
      startParameter: isPython ? null : toStartParameter(wire.start_parameter),
    },
  })
}

/** What both shapes call the same. */
function readContext(wire: Wire) {
  const { language, os, device, brand, model, country, city } = wire
  return {
    language: toContextText(language),
    os: toContextText(os),
    device: toContextText(device),
    brand: toContextText(brand),
    model: toContextText(model),
    country: toCountryName(toContextText(country)),
    city: toContextText(city),
  }
}

/** The parts of an event, as yet unread but for the user and the context. */
interface Parts extends Record<'name' | 'time' | 'session' | 'source' | 'params' | Name, unknown> {
  readonly telegramId: number | null
  readonly context: EventContext
  readonly paramsPlace: readonly string[]
}

type Name = 'username' | 'firstname' | 'lastname'

function assemble(parts: Parts): Said | null {
  if (parts.telegramId === null) return null
  const name = toName(parts.name)
  const { json: params, leftOut } = toParams(parts.params)
  const event = {
    name,
    telegramId: parts.telegramId,
    session: hasSessions(parts.source) ? toText(parts.session) : null,
    context: parts.context,
    username: toText(parts.username),
    firstname: toText(parts.firstname),
    lastname: toText(parts.lastname),
    params,
    wallet: readWallet(name, parts.params),
  }
  return {
    event,
    time: parts.time,
    leftOut: leftOut.map(({ loc, msg }) => ({ loc: [...parts.paramsPlace, ...loc], msg })),
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
