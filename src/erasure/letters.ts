import { parseMessage, withoutUsers } from '../collection/message.ts'
import type { Database } from '../storage/database.ts'
import { deleteLetter, type Person, selectLettersWith, updateLetter } from './sql.ts'

/** Takes a person's events out of what was put aside. What is no message of ours stays. */
export async function eraseLetters(directory: Database, { applicationId, telegramId }: Person): Promise<void> {
  for (const { id, body } of await selectLettersWith(directory, String(telegramId))) {
    if (parseMessage(body)?.applicationId !== applicationId) continue
    const rest = withoutUsers(body, new Set([telegramId]))
    if (rest === null) await deleteLetter(directory, id)
    else if (rest !== body) await updateLetter(directory, id, rest)
  }
}
