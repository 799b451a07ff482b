import {
  charactersOf,
  type Event,
  type EventProperties,
  mapProperties,
  type PropertyName,
  propertyOf,
} from '../base/event.ts'
import { toBoolean, toName, toText } from '../base/text/text.ts'
import type { Identity } from './identity.ts'
import { isObject, type LeftOut, toParams } from './params.ts'
import { readWallet } from './wallet.ts'

export type Wire = Readonly<Record<string, unknown>>

/** The shape of browsers, .NET and Python 0.2; and that of Node, Go, newer Python and of servers writing plain JSON. */
export type Shape = 'browser' | 'server'

/** The fields of each shape that are not properties of the user; those are listed in `event.ts`. */
export const FIELDS = {
  browser: {
    name: 'eventType',
    time: 'timestamp',
    telegramId: 'telegramID',
    session: 'sessionIdentifier',
    params: 'eventDetails.params',
  },
  server: {
    name: 'event_type',
    time: 'datetime',
    telegramId: 'telegram_id',
    session: 'session_id',
    params: 'params',
  },
} as const satisfies Record<Shape, Record<string, string>>

export function shapeOf(wire: Wire): Shape {
  return 'eventType' in wire || 'telegramID' in wire ? 'browser' : 'server'
}

/** The value at a path such as `userDetails.username`. */
function valueAt(wire: Wire, path: string): unknown {
  // Most paths are one name, and splitting texts takes longer than all else here.
  if (path in wire || !path.includes('.')) return wire[path]
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), wire)
}

/** What an event says, except its time and identity. */
export interface EventContent {
  readonly event: Omit<Event, keyof Identity | 'time'>
  /** What is left out of its parameters, by its path in the event. */
  readonly leftOut: readonly LeftOut[]
}

/** Reads an event of this shape. Values of a wrong type are ignored. Null if it names no user. */
export function readEvent(wire: Wire, shape: Shape): EventContent | null {
  const fields = FIELDS[shape]
  const telegramId = toUserId(wire[fields.telegramId])
  if (telegramId === null) return null
  const name = toName(wire[fields.name])
  const given = valueAt(wire, fields.params)
  const { json: params, leftOut } = toParams(given)
  const { volume, ...wallet } = readWallet(name, given)
  const properties = { ...readProperties(wire, shape), ...wallet }
  return {
    event: { name, telegramId, session: toText(wire[fields.session]), properties, volume, params },
    leftOut: leftOut.map(({ loc, msg }) => ({ loc: [...fields.params.split('.'), ...loc], msg })),
  }
}

/** The properties that an event of this shape says. */
export function readProperties(wire: Wire, shape: Shape): EventProperties {
  return mapProperties((name) => readProperty(wire, shape, name)) as EventProperties
}

function readProperty(wire: Wire, shape: Shape, name: PropertyName): string | boolean | null {
  const property = propertyOf(name)
  if (!property.wire) return null
  const value = valueAt(wire, property.wire[shape])
  if (property.type === 'flag') return toBoolean(value)
  const text = toText(value, charactersOf(property))
  return text !== null && property.normalize ? property.normalize(text) : text
}

/** A user's id as a number or as its digits; from 1 to 2^53-1. */
export function toUserId(value: unknown): number | null {
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value.trim())
  const id = isDigits ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
}
