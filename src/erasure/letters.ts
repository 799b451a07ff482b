import { parseMessage } from '../collection/message.ts'
import { isObject } from '../collection/params.ts'
import type { Database } from '../storage/database.ts'
import { deleteLetter, type Person, selectLettersWith, updateLetter } from './sql.ts'

/** Takes a person's events out of what was put aside. What is no message of ours stays. */
export async function eraseLetters(directory: Database, { applicationId, telegramId }: Person): Promise<void> {
  for (const { id, body } of await selectLettersWith(directory, String(telegramId))) {
    const message = parseMessage(body)
    if (message?.applicationId !== applicationId) continue
    const { events } = message
    const others = events.filter((event) => !isObject(event) || event.telegramId !== telegramId)
    if (others.length === 0) await deleteLetter(directory, id)
    else if (others.length < events.length) {
      await updateLetter(directory, id, JSON.stringify({ ...JSON.parse(body), events: others }))
    }
  }
}
