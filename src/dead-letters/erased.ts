import { withoutErased } from '../collection/erasures.ts'
import { parseMessage, userOf, withoutUsers } from '../collection/message.ts'
import type { Database } from '../storage/database.ts'
import type { NewDeadLetter } from './sql.ts'

/** So long a message may have been tried before it came to the dead letters. */
const LONGEST_WAY_MS = 4 * 86_400_000

/**
 * Leaves out events of users who were erased while these were on their way, and letters of which nothing is left: whoever erases
 * a user looks only at those that lie in the database, some time after.
 */
export async function withoutErasedEvents(letters: readonly NewDeadLetter[], db: Database): Promise<NewDeadLetter[]> {
  const sent = letters.flatMap(toSent)
  const known = sent.filter(({ telegramId }) => Number.isSafeInteger(telegramId))
  if (known.length === 0) return [...letters]
  const kept = new Set(await withoutErased(known, (event) => event, db))
  const erased = known.filter((event) => !kept.has(event))
  return letters.flatMap((letter) => {
    const users = erased.filter((event) => event.letter === letter).map(({ telegramId }) => telegramId)
    const body = withoutUsers(letter.body, new Set(users))
    return body === null ? [] : [{ ...letter, body }]
  })
}

function toSent(letter: NewDeadLetter) {
  const message = parseMessage(letter.body)
  if (!message) return []
  const { applicationId, events } = message
  const enqueuedAt = letter.putAsideAt - LONGEST_WAY_MS
  return events.map((event) => ({ letter, applicationId, telegramId: userOf(event), enqueuedAt }))
}
