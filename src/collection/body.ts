import type { CollectingScope } from '../accounts/api-keys.ts'
import { type Fault, Invalid } from '../errors.ts'
import { toFaults } from '../faults.ts'
import { parseInstant } from '../time/instant.ts'
import { asMeant } from './client-quirks.ts'
import { MAX_EVENTS, PLAIN_EVENTS } from './contract.ts'
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts'
import type { Event } from './event.ts'
import { identify, type Source } from './identity.ts'
import type { Opener } from './opener.ts'
import { isObject, type LeftOut, MAX_LEFT_OUT, toShallow } from './params.ts'
import type { Sender } from './sender.ts'
import { timeFaults } from './time-bounds.ts'
import { FIELDS, readEvent, type Said, shapeOf, type Wire } from './wire.ts'

/** Deeper than what is kept of parameters. Without a bound, recursion over an event could exhaust the stack. */
const MAX_DEPTH = 32

/** What is known of a request besides its body. */
export interface Arrival {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly sender: Sender
  /** The scope of the key. */
  readonly scope: CollectingScope
  /** The application's private key, PKCS#8 PEM; asked for only where there is a seal to open. */
  readonly privateKey: () => string
}

/** What a body holds. */
export interface Reading {
  readonly events: readonly Event[]
  /** A sealed event that cannot be read. The caller decides whether its sender is told. */
  readonly unreadable: Unreadable | null
  /** What is not kept of the parameters of plain events. Senders of sealed events do not read the answer. */
  readonly leftOut: LeftOut[]
}

export interface Unreadable {
  readonly fault: Fault
  /** Whether the seal did not open; else the event names no user, as those of a page outside of the messenger. */
  readonly counts: boolean
}

/** Reads one sealed event, or plain ones, which are taken all or not at all. Throws `Invalid`. */
export function readBody(body: unknown, arrival: Arrival): Reading {
  const value = typeof body === 'string' ? unwrap(body) : body
  return isEnvelope(value) ? readSealed(value, arrival) : readPlain(value, arrival)
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
function readSealed(envelope: Envelope, arrival: Arrival): Reading {
  const opened = openEnvelope(envelope, arrival.privateKey())
  if (!opened) return unreadable('The sealed event cannot be opened with the key of this application', { counts: true })
  const wire = asMeant(opened.event)
  const shape = shapeOf(wire)
  const said = readEvent(wire, shape)
  if (!said) return unreadable('The sealed event names no user', { counts: false })
  const parsed = parseInstant(wire[FIELDS[shape].time])
  const time = parsed !== null && timeFaults(parsed, arrival).length === 0 ? parsed : null
  const source: Source = { kind: 'sealed', opened: opened.bytes }
  const event = toEvent(said, { time, source, isTimeOurs: time === null, arrival })
  return { events: [event], unreadable: null, leftOut: [] }
}

function unreadable(msg: string, { counts }: Pick<Unreadable, 'counts'>): Reading {
  const fault = { loc: ['body'], msg, type: 'value_error' }
  return { events: [], unreadable: { fault, counts }, leftOut: [] }
}

function readPlain(body: unknown, arrival: Arrival): Reading {
  if (!Array.isArray(body)) return takeAll([readItem(body, { place: ['body'], arrival })])
  // Before the items: a body of one megabyte may hold half a million of them, each with a fault.
  const fault = sizeFault(body.length, MAX_EVENTS[arrival.scope])
  if (fault) throw new Invalid([{ loc: ['body'], ...fault }])
  return takeAll(body.map((item, index) => readItem(item, { place: ['body', index], arrival })))
}

/** All or none: throws `Invalid` with these and all other faults. */
export function takeAll(items: readonly Item[], others: readonly Fault[] = []): Reading {
  const faults = [...others, ...items.flatMap((item) => item.faults ?? [])]
  if (faults.length > 0) throw new Invalid(faults)
  return {
    events: items.flatMap(({ event }) => event ?? []),
    unreadable: null,
    leftOut: items.flatMap(({ leftOut }) => leftOut ?? []).slice(0, MAX_LEFT_OUT),
  }
}

export function sizeFault(items: number, most: number): Omit<Fault, 'loc'> | null {
  if (items === 0) return { msg: 'List should have at least 1 item', type: 'too_short' }
  if (items <= most) return null
  return { msg: `List should have at most ${most} items, not ${items}`, type: 'too_long' }
}

/** What a plain event is, or what is wrong with it. */
interface Item {
  readonly faults?: readonly Fault[]
  readonly event?: Event
  readonly leftOut?: readonly LeftOut[]
}

interface ItemContext {
  /** Where it stands in the request. */
  readonly place: (string | number)[]
  readonly arrival: Arrival
  /** Whose event it is, where init data says that for all of a body. */
  readonly opener?: Opener | null
  /** By how much its time is to be moved, in milliseconds; null where the body does not say when it was sent. */
  readonly moveMs?: number | null
}

export function readItem(item: unknown, { place, arrival, opener = null, moveMs = null }: ItemContext): Item {
  if (item === undefined) return { faults: [{ loc: place, msg: 'Field required', type: 'missing' }] }
  if (!isObject(item)) return { faults: [{ loc: place, msg: 'Input should be a valid dictionary', type: 'dict_type' }] }
  const shallow = toShallow(item, MAX_DEPTH) as Wire
  const meant = asMeant(shallow)
  const shape = shapeOf(meant)
  const { time: timeField, telegramId: userField } = FIELDS[shape]
  const whole = opener ? { ...meant, [userField]: meant[userField] ?? opener.telegramId } : meant
  const { data, error } = PLAIN_EVENTS[shape].safeParse(whole, { reportInput: true })
  const given = data ? (data[timeField] as number) : parseInstant(meant[timeField])
  const time = given === null ? null : given + (moveMs ?? 0)
  const late = time === null ? [] : timeFaults(time, arrival).map((fault) => ({ ...fault, loc: [...place, timeField] }))
  const isForeign = opener !== null && data !== undefined && data[userField] !== opener.telegramId
  const faults = [
    ...(error ? toFaults(error.issues, place) : []),
    ...late,
    ...(isForeign ? [{ loc: [...place, userField], ...FOREIGN_USER }] : []),
  ]
  const said = faults.length === 0 && data ? readEvent(data, shape) : null
  if (!said) return { faults }
  const source = sourceOf(item, { shallow, opener })
  const event = toEvent(said, { time, source, isTimeOurs: moveMs !== null, arrival, opener })
  return { event, leftOut: said.leftOut.map(({ loc, msg }) => ({ loc: [...place, ...loc], msg })) }
}

const FOREIGN_USER = { msg: 'Input should be the user of init_data, or be left out', type: 'value_error' }

interface Sent {
  readonly shallow: Wire
  readonly opener: Opener | null
}

/** The content is hashed as it was sent, so that a resend is recognised even after the service learns to read it otherwise. */
function sourceOf(item: Wire, { shallow, opener }: Sent): Source {
  const { event_id: eventId } = item
  if (typeof eventId === 'string') return { kind: 'event-id', eventId }
  const content = item === shallow ? item : [shallow, textOf(item)]
  return { kind: 'content', content: opener ? [opener.telegramId, content] : content }
}

/** The JSON of what nests too deep to be walked over; of what nests even deeper, nothing. */
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
  readonly source: Source
  /** Whether a resend may come to another time. */
  readonly isTimeOurs: boolean
  readonly arrival: Arrival
  readonly opener?: Opener | null
}

function toEvent({ event }: Said, { time, source, isTimeOurs, arrival, opener = null }: Origin): Event {
  const properties = opener ? opener.speakFor(event.properties) : event.properties
  return {
    ...event,
    ...identify(source, { scope: arrival.scope, isTimeOurs }),
    time: time ?? arrival.now,
    properties: withSender(properties, arrival.sender),
  }
}

function withSender(said: Event['properties'], sender: Sender): Event['properties'] {
  return {
    ...said,
    country: said.country ?? sender.country,
    city: said.city ?? sender.city,
    os: said.os ?? sender.os,
    brand: said.brand ?? sender.brand,
    model: said.model ?? sender.model,
  }
}
