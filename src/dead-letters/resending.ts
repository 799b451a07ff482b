import { QUEUE_TIMEOUT_MS, toCalls } from '../collection/message.ts'
import { logError } from '../log.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { withoutErasedEvents } from './erased.ts'
import { countDeadLetters, deleteDeadLetters, selectToResend } from './sql.ts'

/** Each at most 100,000 bytes: an answer of the database holds so many. */
const LETTERS_AT_ONCE = 50
/** A Worker may make 1,000 calls an invocation; so many take up to 20 rounds of 27. */
const MOST_LETTERS = 1_000

/**
 * Sends the dead letters back to the queue that a person asked to have sent again. Each row goes once the queue has taken its
 * message; one that is sent twice changes nothing, as events are stored once. In the queue a letter is as new as any message, so what
 * is erased is left out here. Logs an error while others lie there.
 */
export async function resendDeadLetters(db: BatchDatabase, queue: Queue): Promise<{ resent: number }> {
  let resent = 0
  while (resent < MOST_LETTERS) {
    const letters = await selectToResend(db, LETTERS_AT_ONCE)
    if (letters.length === 0) break
    const kept = await withoutErasedEvents(letters, db)
    for (const call of toCalls(kept.map(({ body }) => body))) {
      const messages = call.map((body) => ({ body, contentType: 'text' as const }))
      await withTimeout(queue.sendBatch(messages), QUEUE_TIMEOUT_MS)
    }
    await deleteDeadLetters(
      db,
      letters.map(({ id }) => id),
    )
    resent += letters.length
  }
  const [counted] = await countDeadLetters(db)
  if (counted && counted.waiting > 0) logError('dead letters', WHAT_TO_DO, { letters: counted.waiting })
  return { resent }
}

const WHAT_TO_DO = 'events that could not be stored: npm run dead-letters -- list'
