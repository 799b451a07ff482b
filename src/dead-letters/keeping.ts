import { createHash } from 'node:crypto'
import { logError } from '../log.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { withoutErasedEvents } from './erased.ts'
import { insertDeadLetter, type NewDeadLetter } from './sql.ts'

/** The queue of what cannot be stored, as wrangler.toml names it. */
export const DEAD_LETTER_QUEUE = 'mauve-dead-letters'

/** With the 100 tries of wrangler.toml this makes fourteen days, as long as that queue keeps a message. */
const LONGEST_PAUSE_SECONDS = 4 * 3_600

/** Puts a delivery of dead letters into the database, where a person sees them. What it does not take comes again. */
export async function keepDeadLetters(batch: MessageBatch<unknown>, env: Pick<Env, 'DB'>): Promise<{ kept: number }> {
  try {
    const db = openDatabase(env.DB)
    const letters = await withoutErasedEvents(batch.messages.map(toLetter), db)
    await insertAll(letters, db)
    batch.ackAll()
    return { kept: letters.length }
  } catch (error) {
    logError('dead letters not kept yet', error, { messages: batch.messages.length })
    for (const message of batch.messages) {
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, LONGEST_PAUSE_SECONDS) })
    }
    return { kept: 0 }
  }
}

async function insertAll(letters: readonly NewDeadLetter[], db: BatchDatabase): Promise<void> {
  const [first, ...others] = letters.map((letter) => insertDeadLetter(db, letter))
  if (first) await db.batch([first, ...others])
}

function toLetter({ id, timestamp, body }: Message<unknown>): NewDeadLetter {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { id: idOf(id, timestamp.getTime(), text), body: text, putAsideAt: timestamp.getTime() }
}

const ID_BITS = 53n

/** The same each time that a message comes, so that it lies there once. */
export function idOf(message: string, putAsideAt: number, body: string): number {
  const digest = createHash('sha256').update(`${message} ${putAsideAt} ${body}`).digest()
  return Number(digest.readBigUInt64BE() >> (64n - ID_BITS))
}
