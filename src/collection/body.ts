import type { CollectingScope } from '../accounts/api-keys.ts'
import { type Fault, Invalid } from '../errors.ts'
import { toFaults } from '../faults.ts'
import { MS_PER_DAY, yearsBefore } from '../time/days.ts'
import { parseInstant } from '../time/instant.ts'
import { asMeant } from './client-quirks.ts'
import { CLIENT_KEY_DAYS_BACK, MAX_EVENTS, PLAIN_EVENTS, YEARS_BACK } from './contract.ts'
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts'
import type { Event } from './event.ts'
import { identify, type Source } from './identity.ts'
import { isObject, type LeftOut, MAX_LEFT_OUT, toShallow } from './params.ts'
import type { Sender } from './sender.ts'
import { FIELDS, readEvent, type Said, shapeOf, type Wire } from './wire.ts'

const AHEAD_MS = 5 * 60_000
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
  const event = toEvent(said, { time, source: { kind: 'sealed', opened: opened.bytes }, arrival })
  return { events: [event], unreadable: null, leftOut: [] }
}

function unreadable(msg: string, { counts }: Pick<Unreadable, 'counts'>): Reading {
  const fault = { loc: ['body'], msg, type: 'value_error' }
  return { events: [], unreadable: { fault, counts }, leftOut: [] }
}

function readPlain(body: unknown, arrival: Arrival): Reading {
  const list = Array.isArray(body) ? body : null
  if (list) requireFittingSize(list, arrival.scope)
  const items = (list ?? [body]).map((item, index) =>
    readItem(item, { place: list ? ['body', index] : ['body'], arrival }),
  )
  const faults = items.flatMap((item) => item.faults ?? [])
  if (faults.length > 0) throw new Invalid(faults)
  return {
    events: items.flatMap(({ event }) => event ?? []),
    unreadable: null,
    leftOut: items.flatMap(({ leftOut }) => leftOut ?? []).slice(0, MAX_LEFT_OUT),
  }
}

/** Checked before the items: a body of one megabyte may hold half a million of them, each with a fault. */
function requireFittingSize(list: unknown[], scope: CollectingScope): void {
  const fault = sizeFault(list.length, MAX_EVENTS[scope])
  if (fault) throw new Invalid([{ loc: ['body'], ...fault }])
}

function sizeFault(items: number, most: number): Omit<Fault, 'loc'> | null {
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
}

function readItem(item: unknown, { place, arrival }: ItemContext): Item {
  if (item === undefined) return { faults: [{ loc: place, msg: 'Field required', type: 'missing' }] }
  if (!isObject(item)) return { faults: [{ loc: place, msg: 'Input should be a valid dictionary', type: 'dict_type' }] }
  const shallow = toShallow(item, MAX_DEPTH) as Wire
  const meant = asMeant(shallow)
  const shape = shapeOf(meant)
  const timeField = FIELDS[shape].time
  const { data, error } = PLAIN_EVENTS[shape].safeParse(meant, { reportInput: true })
  const time = data ? (data[timeField] as number) : parseInstant(meant[timeField])
  const late = time === null ? [] : timeFaults(time, arrival).map((fault) => ({ ...fault, loc: [...place, timeField] }))
  const faults = [...(error ? toFaults(error.issues, place) : []), ...late]
  const said = faults.length === 0 && data ? readEvent(data, shape) : null
  if (!said) return { faults }
  const event = toEvent(said, { time, source: sourceOf(item, shallow), arrival })
  return { event, leftOut: said.leftOut.map(({ loc, msg }) => ({ loc: [...place, ...loc], msg })) }
}

/** The content is hashed as it was sent, so that a resend is recognised even after the service learns to read it otherwise. */
function sourceOf(item: Wire, shallow: Wire): Source {
  const { event_id: eventId } = item
  if (typeof eventId === 'string') return { kind: 'event-id', eventId }
  return { kind: 'content', content: item === shallow ? item : [shallow, textOf(item)] }
}

/** The JSON of what nests too deep to be walked over; of what nests even deeper, nothing. */
function textOf(item: Wire): string {
  try {
    return JSON.stringify(item)
  } catch {
    return ''
  }
}

function timeFaults(time: number, { now, scope }: Arrival): Omit<Fault, 'loc'>[] {
  if (time > now + AHEAD_MS) return [{ msg: 'Input should be at most 5 minutes ahead', type: 'value_error' }]
  const { since, words } = OLDEST[scope]
  return time < since(now) ? [{ msg: `Input should be at most ${words} ago`, type: 'value_error' }] : []
}

/** Anyone can read a page's client key, so it must not be able to change the figures of past years. */
const OLDEST: Readonly<Record<CollectingScope, { since: (now: number) => number; words: string }>> = {
  full: { since: (now) => yearsBefore(now, YEARS_BACK), words: `${YEARS_BACK} years` },
  client: { since: (now) => now - CLIENT_KEY_DAYS_BACK * MS_PER_DAY, words: `${CLIENT_KEY_DAYS_BACK} days` },
}

interface Origin {
  /** Null: the time of the arrival. */
  readonly time: number | null
  readonly source: Source
  readonly arrival: Arrival
}

function toEvent({ event }: Said, { time, source, arrival }: Origin): Event {
  return {
    ...event,
    ...identify(source, { scope: arrival.scope, arrivalTimed: time === null }),
    time: time ?? arrival.now,
    properties: withSender(event.properties, arrival.sender),
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
