import { createHash } from 'node:crypto'
import { logError } from '../../base/log.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { withoutErasedEvents } from './erased.ts'
import { insertDeadLetter, type NewDeadLetter } from './sql.ts'

/** The queue of messages that cannot be stored, as wrangler.toml names it. */
export const DEAD_LETTER_QUEUE = 'mauve-dead-letters'

/** With the 100 tries of wrangler.toml this makes fourteen days, as long as that queue keeps a message. */
const LONGEST_PAUSE_SECONDS = 4 * 3_600

/** Puts a delivery of dead letters into the database, where an operator sees them. If that fails, they come again. */
export async function keepDeadLetters(
  batch: MessageBatch<unknown>,
  env: Pick<Env, 'DB' | 'KEY_SEALING_SECRET'>,
): Promise<{ kept: number }> {
  try {
    const db = openDatabase(env.DB)
    const erased = { directory: db, secrets: env.KEY_SEALING_SECRET }
    const deadLetters = await withoutErasedEvents(batch.messages.map(toDeadLetter), erased)
    await insertAll(deadLetters, db)
    batch.ackAll()
    return { kept: deadLetters.length }
  } catch (error) {
    logError('dead letters not kept yet', error, { messages: batch.messages.length })
    for (const message of batch.messages) {
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, LONGEST_PAUSE_SECONDS) })
    }
    return { kept: 0 }
  }
}

async function insertAll(deadLetters: readonly NewDeadLetter[], db: BatchDatabase): Promise<void> {
  const [first, ...others] = deadLetters.map((deadLetter) => insertDeadLetter(db, deadLetter))
  if (first) await db.batch([first, ...others])
}

function toDeadLetter({ id, timestamp, body }: Message<unknown>): NewDeadLetter {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { id: idOf(id, timestamp.getTime(), text), body: text, putAsideAt: timestamp.getTime() }
}

const ID_BITS = 53n

/** The same each time that a message is delivered, so that its dead letter is stored once. */
function idOf(message: string, putAsideAt: number, body: string): number {
  const digest = createHash('sha256').update(`${message} ${putAsideAt} ${body}`).digest()
  return Number(digest.readBigUInt64BE() >> (64n - ID_BITS))
}
