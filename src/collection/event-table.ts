import { type Event, type EventProperties, PROPERTIES, PROPERTY_NAMES, type PropertyName } from '../base/event.ts'
import { isObject } from './params.ts'

// Events as a message carries them: arrays of cells, with the properties apart, so that events which share them name them by an
// index. The JSON of the same events as objects is twice as long and takes three times as long to write and to read.

/** Writes events until there is no more room. */
export class TableWriter {
  readonly #indexes = new Map<EventProperties, number>()
  readonly #properties: string[] = []
  readonly #events: string[] = []
  #room: number

  constructor(maxBytes: number) {
    this.#room = maxBytes
  }

  /** Adds an event. Returns false if there is no room; the first event always fits. */
  add(event: Event): boolean {
    const known = this.#indexes.get(event.properties)
    const index = known ?? this.#properties.length
    const said = known === undefined ? propertyCells(event.properties) : ''
    const cells = eventCells(event, index)
    const bytes = Buffer.byteLength(cells) + Buffer.byteLength(said) + COMMAS_BYTES
    if (bytes > this.#room && this.#events.length > 0) return false
    this.#room -= bytes
    this.#events.push(cells)
    if (known !== undefined) return true
    this.#indexes.set(event.properties, index)
    this.#properties.push(said)
    return true
  }

  /** The fields of a message, as JSON. */
  get text(): string {
    return `"properties":[${this.#properties.join(',')}],"events":[${this.#events.join(',')}]`
  }
}

const COMMAS_BYTES = 2

/** The JSON of an event; its properties are those of this index. */
function eventCells(event: Event, index: number): string {
  const { name, time, telegramId, key, id, claimsId, session, volume, params, formerId } = event
  const cells = [index, name, time, telegramId, key, id, claimsId, session, volume, params]
  return JSON.stringify(formerId === undefined ? cells : [...cells, formerId])
}

/** The JSON of the values of all properties; those at the end that nothing says are left out. */
function propertyCells(properties: EventProperties): string {
  const cells = PROPERTY_NAMES.map((name) => properties[name])
  return JSON.stringify(cells.slice(0, cells.findLastIndex((value) => value !== null) + 1))
}

export interface EventTable {
  /** Objects as a message of version 2 has them. */
  readonly events: readonly unknown[]
  /** Whether all of them are events. */
  readonly areChecked: boolean
}

/** The events of a message's `properties` and `events`; null if these are no table. */
export function readTable(properties: unknown, events: unknown): EventTable | null {
  if (!Array.isArray(properties) || !Array.isArray(events)) return null
  const said = properties.map(readProperties)
  const objects = events.map((cells: unknown) => readEvent(cells, said))
  return { events: objects, areChecked: said.every(areSound) && objects.every(isSound) }
}

/** An older message lacks cells at the end. */
function readProperties(cells: unknown): EventProperties | null {
  if (!Array.isArray(cells)) return null
  const properties: Partial<Record<PropertyName, unknown>> = {}
  PROPERTY_NAMES.forEach((name, index) => {
    properties[name] = cells[index] ?? null
  })
  return properties as EventProperties
}

function areSound(properties: EventProperties | null): boolean {
  return PROPERTY_NAMES.every((name) => {
    const value = properties?.[name]
    return value === null || typeof value === TYPES[PROPERTIES[name].type]
  })
}

const TYPES = { text: 'string', flag: 'boolean', number: 'number' } as const

/** Not checked yet. The order of the cells is part of every message: a new one goes to the end, and is missing in older messages. */
function readEvent(cells: unknown, said: readonly (EventProperties | null)[]): Event | unknown {
  if (!Array.isArray(cells)) return cells
  const [index, name, time, telegramId, key, id, claimsId, session, volume, params, formerId] = cells
  const properties = said[index]
  return { name, time, telegramId, key, id, claimsId, formerId, session, properties, volume, params }
}

const ID = /^[0-9a-f]{32}$/

function isSound(value: unknown): boolean {
  if (!isObject(value)) return false
  const { name, time, telegramId, key, id, claimsId, formerId, session, properties, volume, params } = value
  return (
    typeof name === 'string' &&
    Number.isSafeInteger(time) &&
    Number.isSafeInteger(telegramId) &&
    Number.isSafeInteger(key) &&
    (id === null || (typeof id === 'string' && ID.test(id))) &&
    typeof claimsId === 'boolean' &&
    (formerId === undefined || typeof formerId === 'string') &&
    (session === null || typeof session === 'string') &&
    properties !== undefined &&
    typeof volume === 'number' &&
    (params === null || typeof params === 'string')
  )
}
