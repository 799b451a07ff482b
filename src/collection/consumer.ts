import { logError } from '../log.ts'
import { nameOfObject, type ObjectKey } from '../objects/object-name.ts'
import type { Growth } from '../quotas/growth.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { parseEvent } from './event.ts'
import { type Collector, isOfNewerRelease, parseMessage, QUEUE_TIMEOUT_MS, toMessage } from './message.ts'
import { type Collected, toDistinct, toRows } from './rows.ts'
import { selectKnownIds, storeStatements } from './sql.ts'

export interface Consuming {
  readonly db: BatchDatabase
  readonly deadLetters: Queue
  /** When the delivery came: milliseconds since 1970 UTC. */
  readonly now: number
}

type QueueMessage = Message<unknown>

/** One event on its way, and the queue message that brought it. */
interface Parcel extends Collected {
  readonly message: QueueMessage
  /** Rough length of the event's JSON, in characters. */
  readonly weight: number
}

/** What a delivery changed. */
export interface Stored {
  /** The objects that have something to read, each once. */
  readonly objects: readonly ObjectKey[]
  readonly growth: readonly Growth[]
}

/**
 * Stores a delivery of the queue as one database batch, all or nothing. What fails for a passing reason comes again later.
 * What is no event, or is refused by the database itself, ends in the dead-letter queue, alone, and holds up no other: to
 * find it, halves are tried.
 */
export async function consume(batch: MessageBatch<unknown>, consuming: Consuming): Promise<Stored> {
  const storing: Storing = { consuming, unstored: new Set(), told: [] }
  const parcels: Parcel[] = []
  for (const message of batch.messages) parcels.push(...(await unpack(message, storing)))
  await store(parcels, storing)
  for (const message of batch.messages) {
    if (storing.unstored.has(message)) message.retry({ delaySeconds: pauseSeconds(message.attempts) })
    else message.ack()
  }
  const objects = new Map(storing.told.filter(isObjectKey).map((key) => [nameOfObject(key), key]))
  return { objects: [...objects.values()], growth: storing.told.filter(isGrowth) }
}

async function unpack(message: QueueMessage, storing: Storing): Promise<Parcel[]> {
  const content = parseMessage(message.body)
  if (!content && isOfNewerRelease(message.body)) {
    storing.unstored.add(message)
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

interface Storing {
  readonly consuming: Consuming
  /** Messages of which something is not stored yet. */
  readonly unstored: Set<QueueMessage>
  readonly told: Told[]
}

/** A row of a batch. */
type Told = Growth | ObjectKey

function isObjectKey(row: Told): row is ObjectKey {
  return 'objects' in row
}

function isGrowth(row: Told): row is Growth {
  return 'quota' in row
}

async function store(parcels: readonly Parcel[], storing: Storing): Promise<void> {
  const [parcel] = parcels
  if (!parcel) return
  try {
    storing.told.push(...(await run(parcels, storing.consuming)))
  } catch (error) {
    if (!isPermanent(error)) return retryLater(parcels, error, storing)
    if (parcels.length === 1) return sendToDeadLetters(toDeadLetter(parcel, parcel.event), parcel.message, storing)
    const middle = parcels.length >> 1
    await store(parcels.slice(0, middle), storing)
    await store(parcels.slice(middle), storing)
  }
}

/** How often a batch is tried that meets an id which another delivery stored meanwhile. */
const TRIES = 5

async function run(parcels: readonly Parcel[], consuming: Consuming, tries = TRIES): Promise<Told[]> {
  const { db, now } = consuming
  const unknown = await withoutKnownIds(toDistinct(parcels), db)
  const statements = portions(unknown).flatMap((portion) => storeStatements(db, toRows(portion), now))
  if (statements.length === 0) return []
  try {
    const results = await db.$client.batch<Told>(statements)
    return results.flatMap((result) => result.results)
  } catch (error) {
    if (tries === 1 || !isTakenId(error)) throw error
    return run(parcels, consuming, tries - 1)
  }
}

/**
 * Leaves out the events that are known by their id: a resend may say something else, another time above all, and nothing of
 * it counts. An id that is stored between this look and the batch makes the batch fail as a whole.
 */
async function withoutKnownIds(parcels: readonly Parcel[], db: BatchDatabase): Promise<readonly Parcel[]> {
  const ids = parcels.flatMap(({ applicationId, event }) => (event.id ? [{ applicationId, id: event.id }] : []))
  if (ids.length === 0) return parcels
  const known = new Set((await selectKnownIds(db, ids)).map(({ applicationId, id }) => `${applicationId} ${id}`))
  return parcels.filter(({ applicationId, event }) => !known.has(`${applicationId} ${event.id}`))
}

function isTakenId(error: unknown): boolean {
  return String(error).includes('UNIQUE constraint failed: event_ids')
}

/** A bound value may be 2 MB long; a character may take 3 bytes. */
const PORTION_CHARACTERS = 400_000

function portions(parcels: readonly Parcel[]): Parcel[][] {
  const result: Parcel[][] = []
  let room = 0
  for (const parcel of parcels) {
    if (parcel.weight > room || result.length === 0) {
      result.push([])
      room = PORTION_CHARACTERS
    }
    result.at(-1)?.push(parcel)
    room -= parcel.weight
  }
  return result
}

/** Errors that the same data would meet again however often it is tried. */
const PERMANENT_ERRORS = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'malformed JSON']

function isPermanent(error: unknown): boolean {
  return !isTakenId(error) && PERMANENT_ERRORS.some((words) => String(error).includes(words))
}

function retryLater(parcels: readonly Parcel[], error: unknown, { unstored }: Storing): void {
  logError('events not stored yet', error, { events: parcels.length })
  for (const { message } of parcels) unstored.add(message)
}

function toDeadLetter(collector: Collector, event: unknown): string {
  return toMessage(collector, [JSON.stringify(event)])
}

async function sendToDeadLetters(
  body: unknown,
  message: QueueMessage,
  { consuming, unstored }: Storing,
): Promise<void> {
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    await withTimeout(consuming.deadLetters.send(text, { contentType: 'text' }), QUEUE_TIMEOUT_MS)
    logError('event cannot be stored', 'moved to the dead-letter queue', { message: message.id })
  } catch (error) {
    logError('dead letter not kept yet', error, { message: message.id })
    unstored.add(message)
  }
}

/** With the 100 tries of wrangler.toml this makes four days, as long as the queue keeps a message. */
const LONGEST_PAUSE_SECONDS = 3_600

function pauseSeconds(attempts: number): number {
  return Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS)
}
