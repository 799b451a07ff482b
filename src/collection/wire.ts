import {
  charactersOf,
  type Event,
  type EventProperties,
  PROPERTY_NAMES,
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
  const { volume, provider, currBalance } = readWallet(name, given)
  const said = readProperties(wire, shape)
  const properties = provider === null && currBalance === null ? said : { ...said, provider, currBalance }
  const session = toText(wire[fields.session])
  const event = { name, telegramId, session, properties, volume, params }
  if (leftOut.length === 0) return { event, leftOut }
  return { event, leftOut: leftOut.map(({ loc, msg }) => ({ loc: [...fields.params.split('.'), ...loc], msg })) }
}

/** How a property is read from an event of one shape. */
interface PropertyReader {
  readonly name: PropertyName
  /** Null for what no event says on its wire. */
  readonly path: string | null
  /** The object that holds it, and its key there, where the path has two parts. */
  readonly holder: string | null
  readonly key: string
  readonly isFlag: boolean
  readonly characters: number
  readonly normalize: ((text: string) => string | null) | undefined
}

/** Made once: splitting paths takes longer than reading them. */
const READERS: Readonly<Record<Shape, readonly PropertyReader[]>> = {
  browser: PROPERTY_NAMES.map((name) => readerOf(name, 'browser')),
  server: PROPERTY_NAMES.map((name) => readerOf(name, 'server')),
}

function readerOf(name: PropertyName, shape: Shape): PropertyReader {
  const property = propertyOf(name)
  const path = property.wire?.[shape] ?? null
  const [first = '', second] = path?.split('.') ?? []
  const [holder, key] = second === undefined ? [null, first] : [first, second]
  const { type, normalize } = property
  return { name, path, holder, key, isFlag: type === 'flag', characters: charactersOf(property), normalize }
}

/** The properties that an event of this shape says. */
export function readProperties(wire: Wire, shape: Shape): EventProperties {
  const properties: Partial<Record<PropertyName, unknown>> = {}
  for (const reader of READERS[shape]) properties[reader.name] = readProperty(wire, reader)
  return properties as EventProperties
}

function readProperty(wire: Wire, reader: PropertyReader): string | boolean | null {
  if (reader.path === null) return null
  const value = valueIn(wire, reader as PropertyReader & { path: string })
  if (value === undefined || value === null) return null
  if (reader.isFlag) return toBoolean(value)
  const text = toText(value, reader.characters)
  return text !== null && reader.normalize ? reader.normalize(text) : text
}

/** A sealed event may also have the whole path as a key. */
function valueIn(wire: Wire, { path, holder, key }: PropertyReader & { readonly path: string }): unknown {
  if (holder === null || path in wire) return wire[path]
  const held = wire[holder]
  return isObject(held) ? held[key] : undefined
}

/** A user's id as a number or as its digits; from 1 to 2^53-1. */
export function toUserId(value: unknown): number | null {
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value.trim())
  const id = isDigits ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
}
