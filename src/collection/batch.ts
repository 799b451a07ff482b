import { parseInitData } from '../access/init-data/init-data.ts'
import { toFaults } from '../base/faults.ts'
import { type BodyReading, type EventArrival, readItem, sizeFault, takeAll } from './body.ts'
import { BatchHead, MAX_EVENTS, MAX_EVENTS_OF_VERIFIED_USER } from './contract.ts'
import { isObject } from './params.ts'
import { type Checking, verifiedUserOf } from './verified-user.ts'
import type { Wire } from './wire.ts'

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
