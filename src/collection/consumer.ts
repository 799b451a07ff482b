import { knownSpentQuotas } from '../accounts/quotas/meter.ts'
import { type EntryQuota, shareOf } from '../accounts/quotas/quota.ts'
import { logError, logInfo } from '../base/log.ts'
import { findDestinations } from './destinations/destination.ts'
import { type Stored, type StoredEffect, type StoringMoment, storeEvents, toStored } from './event-batch.ts'
import {
  type Collector,
  eventsOf,
  isOfNewerRelease,
  parseMessage,
  sendMessages,
  toMessage,
  withStartParameter,
} from './message.ts'
import type { Collected } from './rows.ts'
import { IS_MOVING, type LeftOutReason, type Storable, storeAll } from './storing.ts'

type QueueMessage = Message<unknown>

/** An event, and the message that brought it. */
interface Parcel extends Collected, Storable {
  readonly event: Collected['event']
  readonly message: QueueMessage
}

interface Delivery {
  readonly moment: StoringMoment
  /** Messages with events that are not stored yet, and the longest pause (seconds) until they come again. */
  readonly unstored: Map<QueueMessage, number>
  /** Messages that were collected although their application was gone. */
  readonly late: Set<QueueMessage>
}

/** With the 100 tries of wrangler.toml this makes four days, as long as the queue keeps a message. */
const LONGEST_PAUSE_SECONDS = 3_600
/** In memory at a time, as objects and as rows: a hundred messages may hold 50,000 events, or ten million characters. */
const EVENTS_AT_ONCE = 15_000
const CHARACTERS_AT_ONCE = 3_000_000
/** The pause while an application is being moved, which continues soon after. */
const MOVE_PAUSE_SECONDS = 300

/**
 * Stores a delivery of the queue. What fails for a passing reason comes again later. What is no event, is refused by the database
 * itself, or was collected although its application was gone, ends in the dead-letter queue and holds up nothing else.
 */
export async function consume(batch: MessageBatch<unknown>, moment: StoringMoment): Promise<Stored> {
  const delivery: Delivery = { moment, unstored: new Map(), late: new Set() }
  const changes: StoredEffect[] = []
  let [parcels, characters]: [Parcel[], number] = [[], 0]
  for (const [index, message] of batch.messages.entries()) {
    parcels.push(...(await unpack(message, delivery)))
    characters += String(message.body).length
    const hasRoom = parcels.length < EVENTS_AT_ONCE && characters < CHARACTERS_AT_ONCE
    if (hasRoom && index < batch.messages.length - 1) continue
    await store(parcels, changes, delivery)
    ;[parcels, characters] = [[], 0]
  }
  // All events of a message are of one application.
  for (const message of delivery.late) await putAside(message.body, message, delivery)
  for (const message of batch.messages) {
    const longestPause = delivery.unstored.get(message)
    if (longestPause === undefined) message.ack()
    else message.retry({ delaySeconds: Math.min(2 ** message.attempts, longestPause) })
  }
  return toStored(changes)
}

/** Stores events, and adds what that changes. */
async function store(parcels: readonly Parcel[], changes: StoredEffect[], delivery: Delivery): Promise<void> {
  const { moment } = delivery
  await storeAll(parcels, {
    env: moment.env,
    findDestinations: (applicationIds) => findDestinations(applicationIds, moment),
    storeBatch: async (items, target) => {
      const collected = items.map((item) => ({ ...item, spent: spentFor(item, moment.now) }))
      changes.push(...(await storeEvents(collected, target, moment)).changes)
    },
    mapStartParameters: (item, change) => {
      const event = withStartParameter(item.event, change)
      return event === item.event ? item : { ...item, event }
    },
    leaveOut: (items, reason) => {
      if (reason === 'late') for (const { message } of items) delivery.late.add(message)
      else if (reason in LEFT_OUT) logInfo(LEFT_OUT[reason] as string, { events: items.length })
    },
    refuse: ({ event, message, ...collector }) => putAside(toDeadLetter(collector, event), message, delivery),
    postpone: (items, reason) => {
      if (reason !== IS_MOVING) logError('events not stored yet', reason, { events: items.length })
      const pause = reason === IS_MOVING ? MOVE_PAUSE_SECONDS : LONGEST_PAUSE_SECONDS
      for (const { message } of items) retry(message, pause, delivery)
    },
  })
}

/** The quotas that were spent when an event arrived, or were since, by what was stored before it. */
function spentFor({ applicationId, scope, spent = [], event }: Parcel, now: number): readonly EntryQuota[] {
  const share = shareOf(scope, event.properties.verified === true)
  return [...spent, ...knownSpentQuotas({ applicationId, share, now })]
}

/** The log says nothing of events that come twice, nor of those of erased users. */
const LEFT_OUT: Partial<Record<LeftOutReason, string>> = {
  deleted: 'events of deleted applications',
  old: 'events of days that are not kept',
}

async function unpack(message: QueueMessage, delivery: Delivery): Promise<Parcel[]> {
  const content = parseMessage(message.body)
  if (!content) {
    if (isOfNewerRelease(message.body)) retry(message, LONGEST_PAUSE_SECONDS, delivery)
    else await putAside(message.body, message, delivery)
    return []
  }
  const { applicationId, scope, spent } = content
  const collector: Collector = spent ? { applicationId, scope, spent } : { applicationId, scope }
  const enqueuedAt = message.timestamp.getTime()
  const parcels: Parcel[] = []
  for (const [event, value] of eventsOf(content)) {
    if (event) parcels.push({ ...collector, event, message, telegramId: event.telegramId, enqueuedAt })
    else await putAside(toDeadLetter(collector, value), message, delivery)
  }
  return parcels
}

/** A message comes again as soon as anything of it may be stored. */
function retry(message: QueueMessage, longestPauseSeconds: number, { unstored }: Delivery): void {
  unstored.set(message, Math.min(unstored.get(message) ?? LONGEST_PAUSE_SECONDS, longestPauseSeconds))
}

function toDeadLetter(collector: Collector, event: unknown): string {
  return toMessage(collector, [JSON.stringify(event)])
}

/** Sends a message to the dead-letter queue. If that queue does not take it, the message comes again. */
async function putAside(body: unknown, message: QueueMessage, delivery: Delivery): Promise<void> {
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    await sendMessages(delivery.moment.env.DEAD_LETTERS, [text])
    logError('event cannot be stored', 'moved to the dead-letter queue', { message: message.id })
  } catch (error) {
    logError('dead letter not kept yet', error, { message: message.id })
    retry(message, LONGEST_PAUSE_SECONDS, delivery)
  }
}
