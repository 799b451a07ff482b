import { parseEvent } from './event.ts'
import { isOfNewerRelease, parseMessage } from './message.ts'
import {
  type Consuming,
  LONGEST_PAUSE_SECONDS,
  type Parcel,
  type QueueMessage,
  retry,
  type Stored,
  type Storing,
  sendToDeadLetters,
  storeAll,
  toDeadLetter,
  toStored,
} from './storing.ts'

/**
 * Stores a delivery of the queue: what is for one database as one batch, all or nothing. What fails for a passing reason comes
 * again later. What is no event, or is refused by the database itself, ends in the dead-letter queue, alone, and holds up no other.
 */
export async function consume(batch: MessageBatch<unknown>, consuming: Consuming): Promise<Stored> {
  const storing: Storing = { consuming, unstored: new Map(), told: [] }
  const parcels: Parcel[] = []
  for (const message of batch.messages) parcels.push(...(await unpack(message, storing)))
  await storeAll(parcels, storing)
  for (const message of batch.messages) {
    const longestPause = storing.unstored.get(message)
    if (longestPause === undefined) message.ack()
    else message.retry({ delaySeconds: Math.min(2 ** message.attempts, longestPause) })
  }
  return toStored(storing.told)
}

async function unpack(message: QueueMessage, storing: Storing): Promise<Parcel[]> {
  const content = parseMessage(message.body)
  if (!content && isOfNewerRelease(message.body)) {
    retry(message, LONGEST_PAUSE_SECONDS, storing)
    return []
  }
  if (!content) {
    await sendToDeadLetters(message.body, message, storing)
    return []
  }
  const { events, ...collector } = content
  const weight = String(message.body).length / events.length
  const parcels: Parcel[] = []
  for (const value of events) {
    const event = parseEvent(value)
    if (event) parcels.push({ ...collector, event, message, weight })
    else await sendToDeadLetters(toDeadLetter(collector, value), message, storing)
  }
  return parcels
}
