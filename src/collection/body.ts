import { parseInitData } from '../access/init-data/init-data.ts'
import { type Fault, Invalid } from '../base/errors.ts'
import { type Event, type EventProperties, PROPERTY_NAMES } from '../base/event.ts'
import { toFaults } from '../base/faults.ts'
import { parseInstant } from '../base/time/instant.ts'
import { readSdkEvent } from './analytics-sdk/sdk-event.ts'
import { type EventArrival, toEvent } from './arrival.ts'
import { asMeant } from './client-quirks.ts'
import { BatchHead, MAX_EVENTS, MAX_EVENTS_OF_VERIFIED_USER } from './contract.ts'
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts'
import type { IdentitySource } from './identity.ts'
import { isObject, type LeftOut, MAX_LEFT_OUT } from './params.ts'
import { type Item, type ItemContext, readItem } from './plain-event.ts'
import { timeFaults } from './time-bounds.ts'
import { type Checking, verifiedUserOf } from './verified-user.ts'
import { FIELDS, readEvent, shapeOf, type Wire } from './wire.ts'

/** What a body holds. */
export interface BodyReading {
  readonly events: readonly Event[]
  /** A sealed event that cannot be read. The caller decides whether the sender gets an error. */
  readonly unreadable: Unreadable | null
  /** What is left out of the parameters of plain events. Senders of sealed events do not read the answer. */
  readonly leftOut: LeftOut[]
}

export interface Unreadable {
  readonly fault: Fault
  /** True if the seal did not open or holds no client's event; false if the event names no user, as on a page outside the messenger. */
  readonly counts: boolean
}

/** Reads one sealed event, or plain ones, which are accepted all or not at all. Throws `Invalid`. */
export function readBody(body: unknown, arrival: EventArrival): BodyReading {
  const value = typeof body === 'string' ? unwrap(body) : body
  return isEnvelope(value) ? readSealed(value, arrival) : readAll(value, arrival, readItem)
}

/** Reads a body of the package `@telegram-apps/analytics`, whose events are accepted all or not at all. Throws `Invalid`. */
export function readSdkBody(body: unknown, arrival: EventArrival): BodyReading {
  return readAll(body, arrival, readSdkEvent)
}

/** Whether a body holds a sealed event. */
export function isSealed(body: unknown): boolean {
  return isEnvelope(typeof body === 'string' ? unwrap(body) : body)
}

/** Python 0.2.0 encodes its envelope twice. */
function unwrap(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The sender of a sealed event does not read errors, so an impossible time is replaced by that of the arrival. */
function readSealed(envelope: Envelope, arrival: EventArrival): BodyReading {
  const opened = openEnvelope(envelope, arrival.privateKey())
  if (!opened) return unreadable('The sealed event cannot be opened with the key of this application', { counts: true })
  const wire = asMeant(opened.event)
  const shape = shapeOf(wire)
  const content = readEvent(wire, shape)
  if (!content) return unreadable('The sealed event names no user', { counts: false })
  const parsed = parseInstant(wire[FIELDS[shape].time])
  const time = parsed !== null && timeFaults(parsed, arrival).length === 0 ? parsed : null
  const source: IdentitySource = { kind: 'sealed', opened: opened.bytes }
  const event = toEvent(content, { time, source, isTimeAssigned: time === null, arrival })
  return { events: [event], unreadable: null, leftOut: [] }
}

function unreadable(msg: string, { counts }: Pick<Unreadable, 'counts'>): BodyReading {
  const fault = { loc: ['body'], msg, type: 'value_error' }
  return { events: [], unreadable: { fault, counts }, leftOut: [] }
}

type ReadItem = (item: unknown, context: ItemContext) => Item

function readAll(body: unknown, arrival: EventArrival, read: ReadItem): BodyReading {
  if (!Array.isArray(body)) return takeAll([read(body, { path: ['body'], arrival })])
  // Before the items: a body of one megabyte may hold half a million of them, each with a fault.
  const fault = countFault(body.length, MAX_EVENTS[arrival.scope])
  if (fault) throw new Invalid([{ loc: ['body'], ...fault }])
  return takeAll(body.map((item, index) => read(item, { path: ['body', index], arrival })))
}

/** Whether a body is a batch: it has `events`, `init_data` or both, and is no event itself. */
export function isBatch(body: unknown): body is Wire {
  if (!isObject(body) || 'event_type' in body || 'eventType' in body) return false
  return 'events' in body || 'init_data' in body
}

/** Whether a body has init data, of whatever type. */
export function hasInitData(body: unknown): boolean {
  return isBatch(body) && (body.init_data ?? null) !== null
}

interface BatchArrival {
  readonly arrival: EventArrival
  readonly checking: Omit<Checking, 'now'>
}

/** Reads a batch, whose events are accepted all or not at all. Throws `not-verified`, then `Invalid`. */
export async function readBatch(body: Wire, { arrival, checking }: BatchArrival): Promise<BodyReading> {
  const { data, error } = BatchHead.safeParse(body, { reportInput: true })
  const faults = error ? toFaults(error.issues, ['body']) : []
  // Without these, neither the user nor further faults can be determined.
  if (faults.some(({ loc }) => loc[1] === 'init_data' || loc[1] === 'events')) throw new Invalid(faults)
  const hasText = typeof body.init_data === 'string'
  const verifiedUser = hasText
    ? await verifiedUserOf(parseInitData(body.init_data as string), { ...checking, now: arrival.now })
    : null
  if (hasText && !verifiedUser) throw new Invalid([...faults, NO_USER])
  const events = body.events as unknown[]
  const fault = countFault(events.length, verifiedUser ? MAX_EVENTS_OF_VERIFIED_USER : MAX_EVENTS[arrival.scope])
  if (fault) throw new Invalid([...faults, { loc: ['body', 'events'], ...fault }])
  const clockShiftMs = typeof data?.sent_at === 'number' ? clockShiftOf(arrival.now - data.sent_at) : null
  const items = events.map((item, index) =>
    readItem(item, { path: ['body', 'events', index], arrival, verifiedUser, clockShiftMs }),
  )
  return takeAll(items, faults)
}

const NO_USER = {
  loc: ['body', 'init_data'],
  msg: "Input should be the messenger's init data, which names a user",
  type: 'value_error',
}

/** A request takes a while, and clocks are rarely right to the second. */
const CLOCKS_ALIKE_MS = 60_000

/** How far to move the times of a sender whose clock is behind by this much. */
function clockShiftOf(behindMs: number): number {
  return Math.abs(behindMs) > CLOCKS_ALIKE_MS ? behindMs : 0
}

/** Takes all items or none: throws `Invalid` with their faults and those of the rest of the body. */
function takeAll(items: readonly Item[], faultsOfBody: readonly Fault[] = []): BodyReading {
  const faults = [...faultsOfBody, ...items.flatMap(({ faults }) => faults)]
  if (faults.length > 0) throw new Invalid(faults)
  const leftOut = items.flatMap((item) => item.leftOut)
  return {
    events: shareProperties(items.flatMap(({ event }) => event ?? [])),
    unreadable: null,
    leftOut: leftOut.slice(0, MAX_LEFT_OUT),
  }
}

/** Events of one user that say the same share one object, so that it is written and read once. */
function shareProperties(events: readonly Event[]): readonly Event[] {
  const byUser = new Map<number, EventProperties>()
  return events.map((event) => {
    const known = byUser.get(event.telegramId)
    if (known && isSame(known, event.properties)) return { ...event, properties: known }
    byUser.set(event.telegramId, event.properties)
    return event
  })
}

function isSame(a: EventProperties, b: EventProperties): boolean {
  for (const name of PROPERTY_NAMES) if (a[name] !== b[name]) return false
  return true
}

function countFault(items: number, most: number): Omit<Fault, 'loc'> | null {
  if (items === 0) return { msg: 'List should have at least 1 item', type: 'too_short' }
  if (items <= most) return null
  return { msg: `List should have at most ${most} items, not ${items}`, type: 'too_long' }
}
