import { type Fault, Invalid } from '../errors.ts'
import { toFaults } from '../faults.ts'
import { yearsBefore } from '../time/days.ts'
import { parseInstant } from '../time/instant.ts'
import { ClientEvent, MAX_EVENTS, ServerEvent } from './contract.ts'
import { type Envelope, isEnvelope, openEnvelope } from './envelope.ts'
import type { Event } from './event.ts'
import { identify, type Source } from './identity.ts'
import { isDeeper, isObject } from './params.ts'
import type { Sender } from './sender.ts'
import { isClientShape, readEvent, type Said } from './wire.ts'

const AHEAD_MS = 5 * 60_000
const YEARS_BACK = 5
/** More than parameters may nest; without a bound, whoever walks over the event could run out of stack. */
const MAX_DEPTH = 32

/** What is known of a body's arrival besides the body. */
export interface Arrival {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  readonly sender: Sender
  /** The application's private key, PKCS#8 PEM; asked for only where there is a seal to open. */
  readonly privateKey: () => string
}

/** The events of a body: one sealed event, or plain ones, which are taken all or not at all. Throws `Invalid`. */
export function readBody(body: unknown, arrival: Arrival): Event[] {
  const value = typeof body === 'string' ? unwrap(body) : body
  return isEnvelope(value) ? [readSealed(value, arrival)] : readPlain(value, arrival)
}

/** Python 0.2.0 encodes its envelope twice. */
function unwrap(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function readSealed(envelope: Envelope, arrival: Arrival): Event {
  const opened = openEnvelope(envelope, arrival.privateKey())
  if (!opened) throw new Invalid([bodyFault('The sealed event cannot be opened with the key of this application')])
  const said = readEvent(opened.event)
  if (!said) throw new Invalid([bodyFault('The sealed event names no user')])
  return toEvent(said, { source: { kind: 'sealed', opened: opened.bytes }, arrival })
}

function bodyFault(msg: string): Fault {
  return { loc: ['body'], msg, type: 'value_error' }
}

function readPlain(body: unknown, arrival: Arrival): Event[] {
  const list = Array.isArray(body) ? body : null
  if (list) requireFittingSize(list)
  const faults = list
    ? list.flatMap((item, index) => itemFaults(item, [index], arrival.now))
    : itemFaults(body, [], arrival.now)
  if (faults.length > 0) throw new Invalid(faults)
  return (list ?? [body]).map((item) => toPlainEvent(item as Record<string, unknown>, arrival))
}

/** Before any item is looked at: a body of a megabyte can hold half a million of them, with a fault each. */
function requireFittingSize(list: unknown[]): void {
  const fault = sizeFault(list.length)
  if (fault) throw new Invalid([{ loc: ['body'], ...fault }])
}

function sizeFault(items: number): Omit<Fault, 'loc'> | null {
  if (items === 0) return { msg: 'List should have at least 1 item', type: 'too_short' }
  if (items <= MAX_EVENTS) return null
  return { msg: `List should have at most ${MAX_EVENTS} items, not ${items}`, type: 'too_long' }
}

function itemFaults(item: unknown, path: number[], now: number): Fault[] {
  const place = ['body', ...path]
  if (item === undefined) return [{ loc: place, msg: 'Field required', type: 'missing' }]
  if (!isObject(item)) return [{ loc: place, msg: 'Input should be a valid dictionary', type: 'dict_type' }]
  if (isDeeper(item, MAX_DEPTH))
    return [{ loc: place, msg: `Input should nest at most ${MAX_DEPTH} levels deep`, type: 'value_error' }]
  const [schema, timeField] = isClientShape(item)
    ? ([ClientEvent, 'timestamp'] as const)
    : ([ServerEvent, 'datetime'] as const)
  const result = schema.safeParse(item, { reportInput: true })
  const faults = result.success ? [] : toFaults(result.error.issues, place)
  const time = parseInstant(item[timeField])
  return time === null
    ? faults
    : [...faults, ...timeFaults(time, now).map((fault) => ({ ...fault, loc: [...place, timeField] }))]
}

function timeFaults(time: number, now: number): Omit<Fault, 'loc'>[] {
  if (time > now + AHEAD_MS) return [{ msg: 'Input should be at most 5 minutes ahead', type: 'value_error' }]
  if (time < yearsBefore(now, YEARS_BACK))
    return [{ msg: `Input should be at most ${YEARS_BACK} years ago`, type: 'value_error' }]
  return []
}

function toPlainEvent(item: Record<string, unknown>, arrival: Arrival): Event {
  const eventId = typeof item.event_id === 'string' ? item.event_id : null
  const source: Source = eventId === null ? { kind: 'content', content: item } : { kind: 'event-id', eventId }
  return toEvent(readEvent(item) as Said, { source, arrival })
}

interface Origin {
  readonly source: Source
  readonly arrival: Arrival
}

/** A sealed event's sender reads no errors, so an impossible time becomes that of its arrival. */
function toEvent({ time: written, context, ...said }: Said, { source, arrival }: Origin): Event {
  const parsed = parseInstant(written)
  const isPossible = parsed !== null && timeFaults(parsed, arrival.now).length === 0
  return {
    ...said,
    ...identify(source, { arrivalTimed: !isPossible }),
    time: isPossible ? parsed : arrival.now,
    context: withSender(context, arrival.sender),
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
