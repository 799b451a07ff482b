import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { EventArrival } from '../../src/collection/arrival.ts'
import { readBody } from '../../src/collection/body.ts'
import { chunksOf } from '../../src/collection/chunks.ts'
import { consume } from '../../src/collection/consumer.ts'
import { MAX_EVENTS } from '../../src/collection/contract.ts'
import { parseMessage, toMessage, toMessages } from '../../src/collection/message.ts'
import type { SendingDevice } from '../../src/collection/sender.ts'

/** A request that comes from nowhere in particular. */
const NO_SENDER: SendingDevice = { country: null, city: null, os: null, brand: null, model: null }

/** A request with a full key, now. */
export const ARRIVAL: EventArrival = { now: Date.now(), sender: NO_SENDER, scope: 'full', privateKey: () => '' }

/** The queue messages that plain events become when they are collected; some of them verified. */
export function messagesOf(applicationId: number, events: readonly unknown[], now = Date.now()): string[] {
  const collector = { applicationId, scope: 'full' as const }
  const read = chunksOf(events, MAX_EVENTS.full, () => 1).flatMap(
    (some) => readBody(some, { ...ARRIVAL, now, privateKey: noPrivateKey }).events,
  )
  const isVerified = (place: number) => (events[place] as { verified?: unknown }).verified === true
  const known = read.map((event, place) =>
    isVerified(place) ? { ...event, properties: { ...event.properties, verified: true } } : event,
  )
  return toMessages(collector, known)
}

/** Rewrites a message with each event as an object, as release a465e32 sent it and as dead letters are stored. */
export function asObjects(message: string): string {
  const received = parseMessage(message)
  if (!received) throw new Error('No message')
  return toMessage(
    received,
    received.events.map((event) => JSON.stringify(event)),
  )
}

function noPrivateKey(): never {
  throw new Error('Plain events have no seal')
}

/** Which messages of a delivery were done with, and which come again; by their place in it. */
export interface Outcome {
  readonly acked: number[]
  readonly retried: number[]
}

/** One delivery of the queue to its consumer; `bindings` stand in for the worker's own. */
export async function deliver(
  bodies: readonly unknown[],
  bindings: Partial<Env> = {},
  timestamp = new Date(),
): Promise<Outcome> {
  const messages = bodies.map((body, place) => ({ id: String(place), timestamp, attempts: 1, body }))
  const batch = createMessageBatch('mauve-events', messages)
  await consume(batch, { env: { ...env, ...bindings }, now: Date.now() })
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext())
  return {
    acked: explicitAcks.map(Number),
    retried: (retryMessages as { msgId: string }[]).map(({ msgId }) => Number(msgId)),
  }
}
