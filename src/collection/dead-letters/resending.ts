import { logError } from '../../base/log.ts'
import { withTimeout } from '../../base/time/with-timeout.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { QUEUE_TIMEOUT_MS, toCalls } from '../message.ts'
import { withoutErasedEvents } from './erased.ts'
import { countDeadLetters, deleteDeadLetters, selectToResend } from './sql.ts'

/** Each has at most 100,000 bytes, so an answer of the database can hold these. */
const DEAD_LETTERS_AT_ONCE = 50
/** A Worker may make 1,000 calls an invocation; these dead letters take up to 20 rounds of 27 calls. */
const MOST_DEAD_LETTERS = 1_000

/**
 * Sends the dead letters that an operator marked back to the queue. A row is deleted once the queue has taken its message; sending one
 * twice changes nothing, as events are stored once. In the queue it is as new as any other message, so events of erased users are
 * left out here. Logs an error while unmarked dead letters remain.
 */
export async function resendDeadLetters(
  db: BatchDatabase,
  { EVENTS: queue, KEY_SEALING_SECRET: secrets }: Pick<Env, 'EVENTS' | 'KEY_SEALING_SECRET'>,
): Promise<{ resent: number }> {
  let resent = 0
  while (resent < MOST_DEAD_LETTERS) {
    const deadLetters = await selectToResend(db, DEAD_LETTERS_AT_ONCE)
    if (deadLetters.length === 0) break
    const kept = await withoutErasedEvents(deadLetters, { directory: db, secrets })
    for (const call of toCalls(kept.map(({ body }) => body))) {
      const messages = call.map((body) => ({ body, contentType: 'text' as const }))
      await withTimeout(queue.sendBatch(messages), QUEUE_TIMEOUT_MS)
    }
    await deleteDeadLetters(
      db,
      deadLetters.map(({ id }) => id),
    )
    resent += deadLetters.length
  }
  const [counted] = await countDeadLetters(db)
  if (counted && counted.waiting > 0) logError('dead letters', WHAT_TO_DO, { letters: counted.waiting })
  return { resent }
}

const WHAT_TO_DO = 'events that could not be stored: npm run dead-letters -- list'
