import { withoutErased } from '../collection/erasures.ts'
import { parseMessage, toMessage } from '../collection/message.ts'
import { isObject } from '../collection/params.ts'
import type { Database } from '../storage/database.ts'
import type { NewDeadLetter } from './sql.ts'

/** So long a message may have been tried before it came to the dead letters. */
const LONGEST_WAY_MS = 4 * 86_400_000

/**
 * Leaves out events of users who were erased while these were on their way, and letters of which nothing is left: whoever erases
 * a user looks only at those that lie in the database, some time after.
 */
export async function withoutErasedEvents(letters: readonly NewDeadLetter[], db: Database): Promise<NewDeadLetter[]> {
  const sent = letters.flatMap(toEvents)
  const known = sent.filter(({ telegramId }) => Number.isSafeInteger(telegramId))
  if (known.length === 0) return [...letters]
  const kept = new Set(await withoutErased(known, (event) => event, db))
  const erased = known.filter((event) => !kept.has(event))
  return letters.flatMap((letter) => {
    const places = new Set(erased.filter((event) => event.letter === letter).map(({ place }) => place))
    return places.size === 0 ? [letter] : without(letter, places)
  })
}

function toEvents(letter: NewDeadLetter) {
  const message = parseMessage(letter.body)
  if (!message) return []
  const { applicationId, events } = message
  const enqueuedAt = letter.putAsideAt - LONGEST_WAY_MS
  return events.map((event, place) => {
    const telegramId = isObject(event) ? Number(event.telegramId) : Number.NaN
    return { letter, place, applicationId, telegramId, enqueuedAt }
  })
}

function without(letter: NewDeadLetter, places: ReadonlySet<number>): NewDeadLetter[] {
  const message = parseMessage(letter.body)
  const left = message?.events.filter((_, place) => !places.has(place)) ?? []
  if (!message || left.length === 0) return []
  return [
    {
      ...letter,
      body: toMessage(
        message,
        left.map((event) => JSON.stringify(event)),
      ),
    },
  ]
}
