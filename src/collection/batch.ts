import { toFaults } from '../faults.ts'
import { parseInitData } from '../init-data/init-data.ts'
import { type Arrival, type Reading, readItem, sizeFault, takeAll } from './body.ts'
import { BatchHead, MAX_EVENTS, MAX_EVENTS_OF_OPENER } from './contract.ts'
import { type Checking, openerOf } from './opener.ts'
import { isObject } from './params.ts'
import type { Wire } from './wire.ts'

/** Whether a body holds events that were gathered: `events`, `init_data` or both, and no event by itself. */
export function isBatch(body: unknown): body is Wire {
  if (!isObject(body) || 'event_type' in body || 'eventType' in body) return false
  return 'events' in body || 'init_data' in body
}

/** Whether a body brings init data, of whatever kind. */
export function hasInitData(body: unknown): boolean {
  return isBatch(body) && (body.init_data ?? null) !== null
}

interface BatchArrival {
  readonly arrival: Arrival
  readonly checking: Omit<Checking, 'now'>
}

/** Reads events that were gathered, which are taken all or not at all. Throws `not-verified`, then `Invalid`. */
export async function readBatch(body: Wire, { arrival, checking }: BatchArrival): Promise<Reading> {
  const { data, error } = BatchHead.safeParse(body, { reportInput: true })
  const faults = error ? toFaults(error.issues, ['body']) : []
  // Whose events these are nobody knows then, nor what else is wrong with them.
  if (faults.some(({ loc }) => loc[1] === 'init_data' || loc[1] === 'events')) return takeAll([], faults)
  const opened = typeof body.init_data === 'string'
  const opener = opened
    ? await openerOf(parseInitData(body.init_data as string), { ...checking, now: arrival.now })
    : null
  if (opened && !opener) return takeAll([], [...faults, NO_USER])
  const events = body.events as unknown[]
  const size = sizeFault(events.length, opener ? MAX_EVENTS_OF_OPENER : MAX_EVENTS[arrival.scope])
  if (size) return takeAll([], [...faults, { loc: ['body', 'events'], ...size }])
  const moveMs = typeof data?.sent_at === 'number' ? moveOf(arrival.now - data.sent_at) : null
  const items = events.map((item, index) =>
    readItem(item, { place: ['body', 'events', index], arrival, opener, moveMs }),
  )
  return takeAll(items, faults)
}

const NO_USER = {
  loc: ['body', 'init_data'],
  msg: "Input should be the messenger's init data, which names a user",
  type: 'value_error',
}

/** A request takes a while, and nobody's clock is right to the second. */
const CLOCKS_ALIKE_MS = 60_000

/** By how much times are moved whose sender's clock is behind by so much. */
function moveOf(behindMs: number): number {
  return Math.abs(behindMs) > CLOCKS_ALIKE_MS ? behindMs : 0
}
