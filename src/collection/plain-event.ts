import type { Fault } from '../base/errors.ts'
import type { Event } from '../base/event.ts'
import { toFaults } from '../base/faults.ts'
import { parseInstant } from '../base/time/instant.ts'
import { type EventArrival, toEvent } from './arrival.ts'
import { asMeant } from './client-quirks.ts'
import { PLAIN_EVENTS } from './contract.ts'
import type { IdentitySource } from './identity.ts'
import { isObject, type LeftOut, toShallow } from './params.ts'
import { passesQuickCheck } from './quick-check.ts'
import { timeFaults } from './time-bounds.ts'
import type { VerifiedUser } from './verified-user.ts'
import { FIELDS, readEvent, type Shape, shapeOf, toUserId, type Wire } from './wire.ts'

/** Deeper than parameters are stored. Without a bound, recursion over an event could exhaust the stack. */
export const MAX_DEPTH = 32

/** A plain event, or what is wrong with it. */
export interface Item {
  readonly faults: readonly Fault[]
  /** Null if there are faults. */
  readonly event: Event | null
  readonly leftOut: readonly LeftOut[]
}

export interface ItemContext {
  /** The event's position in the request. */
  readonly path: (string | number)[]
  readonly arrival: EventArrival
  /** The event's user, if init data names one for the whole body. */
  readonly verifiedUser?: VerifiedUser | null
  /** What its time is increased by, in milliseconds; null if the body does not say when it was sent. */
  readonly clockShiftMs?: number | null
}

/** Reads one event of a body. */
export function readItem(
  item: unknown,
  { path, arrival, verifiedUser = null, clockShiftMs = null }: ItemContext,
): Item {
  if (!isObject(item)) return noEvent(item, path)
  const shallow = toShallow(item, MAX_DEPTH) as Wire
  const meant = asMeant(shallow)
  const shape = shapeOf(meant)
  const { time: timeField, telegramId: userField } = FIELDS[shape]
  const whole = verifiedUser ? { ...meant, [userField]: meant[userField] ?? verifiedUser.telegramId } : meant
  const { wire, faults: faultsOfFields } = check(whole, shape, path)
  const sentTime = parseInstant(meant[timeField])
  const time = sentTime === null ? null : sentTime + (clockShiftMs ?? 0)
  const faultsOfTime = time === null ? [] : timeFaults(time, arrival)
  const isForeign = verifiedUser !== null && wire !== null && toUserId(wire[userField]) !== verifiedUser.telegramId
  const content = wire && faultsOfTime.length === 0 && !isForeign ? readEvent(wire, shape) : null
  if (!content) {
    return faulty([
      ...faultsOfFields,
      ...faultsOfTime.map((fault) => ({ ...fault, loc: [...path, timeField] })),
      ...(isForeign ? [{ loc: [...path, userField], ...FOREIGN_USER }] : []),
    ])
  }
  const { telegramId } = content.event
  const source = sourceOf(item, { shallow, verifiedUser, telegramId, isTimeless: time === null })
  const isTimeAssigned = clockShiftMs !== null && time !== null
  const event = toEvent(content, { time, source, isTimeAssigned, arrival, verifiedUser })
  const leftOut = content.leftOut.map(({ loc, msg }) => ({ loc: [...path, ...loc], msg }))
  return { event, faults: [], leftOut }
}

/** What is no object: nothing, or a value of another type. */
export function noEvent(item: unknown, path: ItemContext['path']): Item {
  if (item === undefined) return faulty([{ loc: path, msg: 'Field required', type: 'missing' }])
  return faulty([{ loc: path, msg: 'Input should be a valid dictionary', type: 'dict_type' }])
}

export function faulty(faults: readonly Fault[]): Item {
  return { event: null, faults, leftOut: [] }
}

interface Checked {
  /** The event's fields; null if there are faults. */
  readonly wire: Wire | null
  readonly faults: readonly Fault[]
}

function check(wire: Wire, shape: Shape, path: (string | number)[]): Checked {
  if (passesQuickCheck(wire, shape)) return { wire, faults: [] }
  const { data = null, error } = PLAIN_EVENTS[shape].safeParse(wire, { reportInput: true })
  return { wire: data, faults: error ? toFaults(error.issues, path) : [] }
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
export function sourceOf(item: Wire, { shallow, verifiedUser, telegramId, isTimeless }: Sent): IdentitySource {
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
