import { logError } from '../log.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { type EventsMessage, parseMessage } from './message.ts'
import { type Collected, toRows } from './rows.ts'
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

/**
 * Stores a delivery of the queue as one database batch, all or nothing. What fails for a passing reason comes again later.
 * Where the database refuses the data itself, halves are tried until the events at fault stand alone; these end in the
 * dead-letter queue and hold up no other. Gives the ids of the applications whose events are stored now.
 */
export async function consume(batch: MessageBatch<unknown>, consuming: Consuming): Promise<Set<number>> {
  const undone = new Set<QueueMessage>()
  const parcels: Parcel[] = []
  for (const message of batch.messages) {
    const content = parseMessage(message.body)
    if (content) parcels.push(...unpack(message, content))
    else await bury(message.body, message, { consuming, undone })
  }
  await store(parcels, { consuming, undone })
  for (const message of batch.messages) {
    if (undone.has(message)) message.retry({ delaySeconds: pauseSeconds(message.attempts) })
    else message.ack()
  }
  return new Set(parcels.filter(({ message }) => !undone.has(message)).map(({ applicationId }) => applicationId))
}

function unpack(message: QueueMessage, { applicationId, events }: EventsMessage): Parcel[] {
  const weight = String(message.body).length / events.length
  return events.map((event) => ({ applicationId, event, message, weight }))
}

interface Storing {
  readonly consuming: Consuming
  /** Messages of which something is not stored yet. */
  readonly undone: Set<QueueMessage>
}

async function store(parcels: readonly Parcel[], storing: Storing): Promise<void> {
  const [parcel] = parcels
  if (!parcel) return
  try {
    await run(parcels, storing.consuming)
  } catch (error) {
    if (!isRefusal(error)) return giveBack(parcels, error, storing)
    if (parcels.length === 1) return bury(toLetter(parcel), parcel.message, storing)
    const middle = parcels.length >> 1
    await store(parcels.slice(0, middle), storing)
    await store(parcels.slice(middle), storing)
  }
}

async function run(parcels: readonly Parcel[], { db, now }: Consuming): Promise<void> {
  const unknown = await withoutKnownIds(parcels, db)
  const statements = portions(unknown).flatMap((portion) => storeStatements(db, toRows(portion), now))
  if (statements.length > 0) await db.$client.batch(statements)
}

/**
 * Leaves out the events that are known by their id: a resend may say something else, another time above all, and nothing of
 * it counts. The statements guard the totals once more, for two deliveries that run side by side.
 */
async function withoutKnownIds(parcels: readonly Parcel[], db: BatchDatabase): Promise<readonly Parcel[]> {
  const ids = parcels.flatMap(({ applicationId, event }) => (event.id ? [[applicationId, event.id] as const] : []))
  if (ids.length === 0) return parcels
  const known = new Set((await selectKnownIds(db, ids)).map(({ applicationId, id }) => `${applicationId} ${id}`))
  return parcels.filter(({ applicationId, event }) => !known.has(`${applicationId} ${event.id}`))
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

/** Errors of SQLite that the same data meets every time. */
const REFUSALS = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'malformed JSON']

function isRefusal(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : ''
  return error instanceof TypeError || REFUSALS.some((refusal) => text.includes(refusal))
}

function giveBack(parcels: readonly Parcel[], error: unknown, { undone }: Storing): void {
  logError('events not stored yet', error, { events: parcels.length })
  for (const { message } of parcels) undone.add(message)
}

function toLetter({ applicationId, event }: Parcel): string {
  return JSON.stringify({ version: 1, applicationId, events: [event] } satisfies EventsMessage)
}

async function bury(body: unknown, message: QueueMessage, { consuming, undone }: Storing): Promise<void> {
  try {
    await consuming.deadLetters.send(typeof body === 'string' ? body : JSON.stringify(body), { contentType: 'text' })
    logError('event cannot be stored', 'moved to the dead-letter queue', { message: message.id })
  } catch (error) {
    logError('dead letter not kept yet', error, { message: message.id })
    undone.add(message)
  }
}

const LONGEST_PAUSE_SECONDS = 900

function pauseSeconds(attempts: number): number {
  return Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS)
}
