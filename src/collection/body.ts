import type { Scope } from '../accounts/api-keys.ts'
import { type Fault, Invalid } from '../errors.ts'
import { toFaults } from '../faults.ts'
import { MS_PER_DAY, yearsBefore } from '../time/days.ts'
import { parseInstant } from '../time/instant.ts'
import { CLIENT_KEY_DAYS_BACK, ClientEvent, MAX_EVENTS, ServerEvent, YEARS_BACK } from './contract.ts'
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts'
import type { Event } from './event.ts'
import { identify, type Source } from './identity.ts'
import { isObject, type LeftOut, MAX_LEFT_OUT, toShallow } from './params.ts'
import type { Sender } from './sender.ts'
import { isClientShape, readEvent, type Said, timeOf } from './wire.ts'

const AHEAD_MS = 5 * 60_000
/** More than is kept of parameters; without a bound, whoever walks over the event could run out of stack. */
const MAX_DEPTH = 32

/** What is known of a body's arrival besides the body. */
export interface Arrival {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly sender: Sender
  /** Of the key that it came with. */
  readonly scope: Scope
  /** The application's private key, PKCS#8 PEM; asked for only where there is a seal to open. */
  readonly privateKey: () => string
}

/** What a body holds. */
export interface Reading {
  readonly events: readonly Event[]
  /** What is wrong with a sealed event that cannot be read; whether its sender is told is not decided here. */
  readonly unreadable: Fault | null
  /** What is not kept of the parameters of plain events, the first 100; a sealed event's sender reads no answer. */
  readonly leftOut: LeftOut[]
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

function readSealed(envelope: Envelope, arrival: Arrival): Reading {
  const opened = openEnvelope(envelope, arrival.privateKey())
  if (!opened) return unreadable('The sealed event cannot be opened with the key of this application')
  const said = readEvent(opened.event)
  if (!said) return unreadable('The sealed event names no user')
  const event = toEvent(said, { source: { kind: 'sealed', opened: opened.bytes }, arrival })
  return { events: [event], unreadable: null, leftOut: [] }
}

function unreadable(msg: string): Reading {
  return { events: [], unreadable: { loc: ['body'], msg, type: 'value_error' }, leftOut: [] }
}

function readPlain(body: unknown, arrival: Arrival): Reading {
  const list = Array.isArray(body) ? body : null
  if (list) requireFittingSize(list, arrival.scope)
  const items = (list ?? [body]).map((item, index): Item => {
    return { value: toShallow(item, MAX_DEPTH), place: list ? ['body', index] : ['body'] }
  })
  const faults = items.flatMap((item) => itemFaults(item, arrival))
  if (faults.length > 0) throw new Invalid(faults)
  const read = items.map((item) => readItem(item, arrival))
  return {
    events: read.map(({ event }) => event),
    unreadable: null,
    leftOut: read.flatMap(({ leftOut }) => leftOut).slice(0, MAX_LEFT_OUT),
  }
}

/** A plain event, and where it stands. */
interface Item {
  readonly value: unknown
  readonly place: (string | number)[]
}

/** Before any item is looked at: a body of a megabyte can hold half a million of them, with a fault each. */
function requireFittingSize(list: unknown[], scope: Scope): void {
  const fault = sizeFault(list.length, MAX_EVENTS[scope])
  if (fault) throw new Invalid([{ loc: ['body'], ...fault }])
}

function sizeFault(items: number, most: number): Omit<Fault, 'loc'> | null {
  if (items === 0) return { msg: 'List should have at least 1 item', type: 'too_short' }
  if (items <= most) return null
  return { msg: `List should have at most ${most} items, not ${items}`, type: 'too_long' }
}

function itemFaults({ value: item, place }: Item, arrival: Arrival): Fault[] {
  if (item === undefined) return [{ loc: place, msg: 'Field required', type: 'missing' }]
  if (!isObject(item)) return [{ loc: place, msg: 'Input should be a valid dictionary', type: 'dict_type' }]
  const [schema, timeField] = isClientShape(item)
    ? ([ClientEvent, 'timestamp'] as const)
    : ([ServerEvent, 'datetime'] as const)
  const result = schema.safeParse(item, { reportInput: true })
  const faults = result.success ? [] : toFaults(result.error.issues, place)
  const time = parseInstant(timeOf(item))
  return time === null
    ? faults
    : [...faults, ...timeFaults(time, arrival).map((fault) => ({ ...fault, loc: [...place, timeField] }))]
}

function timeFaults(time: number, { now, scope }: Arrival): Omit<Fault, 'loc'>[] {
  if (time > now + AHEAD_MS) return [{ msg: 'Input should be at most 5 minutes ahead', type: 'value_error' }]
  const { since, words } = OLDEST[scope]
  return time < since(now) ? [{ msg: `Input should be at most ${words} ago`, type: 'value_error' }] : []
}

/** A page has no old events to tell of, but anyone can read its key and change the figures of years. */
const OLDEST: Readonly<Record<Scope, { since: (now: number) => number; words: string }>> = {
  full: { since: (now) => yearsBefore(now, YEARS_BACK), words: `${YEARS_BACK} years` },
  client: { since: (now) => now - CLIENT_KEY_DAYS_BACK * MS_PER_DAY, words: `${CLIENT_KEY_DAYS_BACK} days` },
}

function readItem({ value, place }: Item, arrival: Arrival): { event: Event; leftOut: LeftOut[] } {
  const item = value as Record<string, unknown>
  const eventId = typeof item.event_id === 'string' ? item.event_id : null
  const source: Source = eventId === null ? { kind: 'content', content: item } : { kind: 'event-id', eventId }
  const said = readEvent(item) as Said
  return {
    event: toEvent(said, { source, arrival }),
    leftOut: said.leftOut.map(({ loc, msg }) => ({ loc: [...place, ...loc], msg })),
  }
}

interface Origin {
  readonly source: Source
  readonly arrival: Arrival
}

/** A sealed event's sender reads no errors, so an impossible time becomes that of its arrival. */
function toEvent({ event, time: written }: Said, { source, arrival }: Origin): Event {
  const parsed = parseInstant(written)
  const isPossible = parsed !== null && timeFaults(parsed, arrival).length === 0
  return {
    ...event,
    ...identify(source, { scope: arrival.scope, arrivalTimed: !isPossible }),
    time: isPossible ? parsed : arrival.now,
    context: withSender(event.context, arrival.sender),
  }
}

function withSender(context: Event['context'], sender: Sender): Event['context'] {
  const { country, city, os, brand, model } = sender
  return {
    ...context,
    country: context.country ?? country,
    city: context.city ?? city,
    os: context.os ?? os,
    brand: context.brand ?? brand,
    model: context.model ?? model,
  }
}
