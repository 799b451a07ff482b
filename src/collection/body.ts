import type { CollectingScope } from '../access/api-keys.ts'
import { parseInitData } from '../access/init-data/init-data.ts'
import { type Fault, Invalid } from '../base/errors.ts'
import type { Event } from '../base/event.ts'
import { toFaults } from '../base/faults.ts'
import { parseInstant } from '../base/time/instant.ts'
import { asMeant } from './client-quirks.ts'
import { BatchHead, MAX_EVENTS, MAX_EVENTS_OF_VERIFIED_USER, PLAIN_EVENTS } from './contract.ts'
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts'
import { type IdentitySource, identify } from './identity.ts'
import { isObject, type LeftOut, MAX_LEFT_OUT, toShallow } from './params.ts'
import type { Sender } from './sender.ts'
import { timeFaults } from './time-bounds.ts'
import { type Checking, type VerifiedUser, verifiedUserOf } from './verified-user.ts'
import { type EventContent, FIELDS, readEvent, shapeOf, type Wire } from './wire.ts'

/** Deeper than parameters are stored. Without a bound, recursion over an event could exhaust the stack. */
const MAX_DEPTH = 32

/** What a request says besides its body. */
export interface EventArrival {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly sender: Sender
  /** The scope of the key. */
  readonly scope: CollectingScope
  /** The application's private key, PKCS#8 PEM; called only if there is a seal to open. */
  readonly privateKey: () => string
}

/** What a body holds. */
export interface BodyReading {
  readonly events: readonly Event[]
  /** A sealed event that cannot be read. The caller decides whether its sender is told. */
  readonly unreadable: Unreadable | null
  /** What is left out of the parameters of plain events. Senders of sealed events do not read the answer. */
  readonly leftOut: LeftOut[]
}

export interface Unreadable {
  readonly fault: Fault
  /** True if the seal did not open or holds no client's event; false if the event names no user, as on a page outside the messenger. */
  readonly counts: boolean
}

/** Reads one sealed event, or plain ones, of which all are taken or none. Throws `Invalid`. */
export function readBody(body: unknown, arrival: EventArrival): BodyReading {
  const value = typeof body === 'string' ? unwrap(body) : body
  return isEnvelope(value) ? readSealed(value, arrival) : readPlain(value, arrival)
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
  const event = toEvent(content, { time, source, isTimeOurs: time === null, arrival })
  return { events: [event], unreadable: null, leftOut: [] }
}

function unreadable(msg: string, { counts }: Pick<Unreadable, 'counts'>): BodyReading {
  const fault = { loc: ['body'], msg, type: 'value_error' }
  return { events: [], unreadable: { fault, counts }, leftOut: [] }
}

function readPlain(body: unknown, arrival: EventArrival): BodyReading {
  if (!Array.isArray(body)) return takeAll([readItem(body, { path: ['body'], arrival })])
  // Before the items: a body of one megabyte may hold half a million of them, each with a fault.
  const fault = sizeFault(body.length, MAX_EVENTS[arrival.scope])
  if (fault) throw new Invalid([{ loc: ['body'], ...fault }])
  return takeAll(body.map((item, index) => readItem(item, { path: ['body', index], arrival })))
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

/** Reads a batch, of which all events are taken or none. Throws `not-verified`, then `Invalid`. */
export async function readBatch(body: Wire, { arrival, checking }: BatchArrival): Promise<BodyReading> {
  const { data, error } = BatchHead.safeParse(body, { reportInput: true })
  const faults = error ? toFaults(error.issues, ['body']) : []
  // Without these, neither the user nor further faults can be determined.
  if (faults.some(({ loc }) => loc[1] === 'init_data' || loc[1] === 'events')) return takeAll([], faults)
  const opened = typeof body.init_data === 'string'
  const verifiedUser = opened
    ? await verifiedUserOf(parseInitData(body.init_data as string), { ...checking, now: arrival.now })
    : null
  if (opened && !verifiedUser) return takeAll([], [...faults, NO_USER])
  const events = body.events as unknown[]
  const size = sizeFault(events.length, verifiedUser ? MAX_EVENTS_OF_VERIFIED_USER : MAX_EVENTS[arrival.scope])
  if (size) return takeAll([], [...faults, { loc: ['body', 'events'], ...size }])
  const moveMs = typeof data?.sent_at === 'number' ? moveOf(arrival.now - data.sent_at) : null
  const items = events.map((item, index) =>
    readItem(item, { path: ['body', 'events', index], arrival, verifiedUser, moveMs }),
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

/** By how much to move the times of a sender whose clock is behind by this much. */
function moveOf(behindMs: number): number {
  return Math.abs(behindMs) > CLOCKS_ALIKE_MS ? behindMs : 0
}

/** Takes all items or none: throws `Invalid` with their faults and the others. */
function takeAll(items: readonly Item[], others: readonly Fault[] = []): BodyReading {
  const faults = [...others, ...items.flatMap((item) => item.faults ?? [])]
  if (faults.length > 0) throw new Invalid(faults)
  return {
    events: items.flatMap(({ event }) => event ?? []),
    unreadable: null,
    leftOut: items.flatMap(({ leftOut }) => leftOut ?? []).slice(0, MAX_LEFT_OUT),
  }
}

function sizeFault(items: number, most: number): Omit<Fault, 'loc'> | null {
  if (items === 0) return { msg: 'List should have at least 1 item', type: 'too_short' }
  if (items <= most) return null
  return { msg: `List should have at most ${most} items, not ${items}`, type: 'too_long' }
}

/** A plain event, or what is wrong with it. */
interface Item {
  readonly faults?: readonly Fault[]
  readonly event?: Event
  readonly leftOut?: readonly LeftOut[]
}

interface ItemContext {
  /** Where it stands in the request. */
  readonly path: (string | number)[]
  readonly arrival: EventArrival
  /** The event's user, if init data names one for the whole body. */
  readonly verifiedUser?: VerifiedUser | null
  /** By how much to move its time, in milliseconds; null if the body does not say when it was sent. */
  readonly moveMs?: number | null
}

function readItem(item: unknown, { path, arrival, verifiedUser = null, moveMs = null }: ItemContext): Item {
  if (item === undefined) return { faults: [{ loc: path, msg: 'Field required', type: 'missing' }] }
  if (!isObject(item)) return { faults: [{ loc: path, msg: 'Input should be a valid dictionary', type: 'dict_type' }] }
  const shallow = toShallow(item, MAX_DEPTH) as Wire
  const meant = asMeant(shallow)
  const shape = shapeOf(meant)
  const { time: timeField, telegramId: userField } = FIELDS[shape]
  const whole = verifiedUser ? { ...meant, [userField]: meant[userField] ?? verifiedUser.telegramId } : meant
  const { data, error } = PLAIN_EVENTS[shape].safeParse(whole, { reportInput: true })
  const given = data ? ((data[timeField] as number | undefined) ?? null) : parseInstant(meant[timeField])
  const time = given === null ? null : given + (moveMs ?? 0)
  const late = time === null ? [] : timeFaults(time, arrival).map((fault) => ({ ...fault, loc: [...path, timeField] }))
  const isForeign = verifiedUser !== null && data !== undefined && data[userField] !== verifiedUser.telegramId
  const faults = [
    ...(error ? toFaults(error.issues, path) : []),
    ...late,
    ...(isForeign ? [{ loc: [...path, userField], ...FOREIGN_USER }] : []),
  ]
  const content = faults.length === 0 && data ? readEvent(data, shape) : null
  if (!content) return { faults }
  const { telegramId } = content.event
  const source = sourceOf(item, { shallow, verifiedUser, telegramId, isTimeless: time === null })
  const event = toEvent(content, { time, source, isTimeOurs: moveMs !== null && time !== null, arrival, verifiedUser })
  return { event, leftOut: content.leftOut.map(({ loc, msg }) => ({ loc: [...path, ...loc], msg })) }
}

const FOREIGN_USER = { msg: 'Input should be the user of init_data, or be left out', type: 'value_error' }

interface Sent {
  readonly shallow: Wire
  readonly verifiedUser: VerifiedUser | null
  readonly telegramId: number
  /** Whether it has no time of its own: nothing then tells a resend from another event, so each is an event by itself. */
  readonly isTimeless: boolean
}

/** Hashes the content as it was sent, so that a resend is recognised even after the service changes how it reads events. */
function sourceOf(item: Wire, { shallow, verifiedUser, telegramId, isTimeless }: Sent): IdentitySource {
  const { event_id: eventId } = item
  if (typeof eventId === 'string') return { kind: 'event-id', eventId, telegramId }
  const sent = item === shallow ? item : [shallow, textOf(item)]
  const content = verifiedUser ? [verifiedUser.telegramId, sent] : sent
  return { kind: 'content', content: isTimeless ? [crypto.randomUUID(), content] : content }
}

/** The JSON of an event that nests too deep to be walked over; empty if even that fails. */
function textOf(item: Wire): string {
  try {
    return JSON.stringify(item)
  } catch {
    return ''
  }
}

interface Origin {
  /** Null: the time of the arrival. */
  readonly time: number | null
  readonly source: IdentitySource
  /** Whether a resend may get another time. */
  readonly isTimeOurs: boolean
  readonly arrival: EventArrival
  readonly verifiedUser?: VerifiedUser | null
}

function toEvent({ event }: EventContent, { time, source, isTimeOurs, arrival, verifiedUser = null }: Origin): Event {
  const properties = verifiedUser ? verifiedUser.speakFor(event.properties) : event.properties
  return {
    ...event,
    ...identify(source, { scope: arrival.scope, isTimeOurs }),
    time: time ?? arrival.now,
    properties: withSender(properties, arrival.sender),
  }
}

function withSender(properties: Event['properties'], sender: Sender): Event['properties'] {
  return {
    ...properties,
    country: properties.country ?? sender.country,
    city: properties.city ?? sender.city,
    os: properties.os ?? sender.os,
    brand: properties.brand ?? sender.brand,
    model: properties.model ?? sender.model,
  }
}
