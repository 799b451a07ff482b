import { parseMessage, withoutUsers } from '../../collection/message.ts'
import type { Database } from '../../storage/database.ts'
import { deleteDeadLetter, type ErasedPerson, selectDeadLettersWith, updateDeadLetter } from './sql.ts'

/** Takes a person's events out of what was put aside. What is no message of ours stays. */
export async function eraseDeadLetters(directory: Database, person: ErasedPerson): Promise<void> {
  const { applicationId, telegramId } = person
  let isMissed = false
  for (const letter of await selectDeadLettersWith(directory, String(telegramId))) {
    if (parseMessage(letter.body)?.applicationId !== applicationId) continue
    const rest = withoutUsers(letter.body, new Set([telegramId]))
    if (rest === letter.body) continue
    const [changed] = await (rest === null
      ? deleteDeadLetter(directory, letter)
      : updateDeadLetter(directory, letter, rest))
    if (!changed) isMissed = true
  }
  // Somebody else was taken out of one meanwhile, or it is gone.
  if (isMissed) await eraseDeadLetters(directory, person)
}
