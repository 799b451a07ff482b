import { deleteSavedQuestion, listSavedQuestions } from '../../accounts/applications/saved-questions.ts'
import { parseMessage, withoutUsers } from '../../collection/message.ts'
import type { Database } from '../../storage/database.ts'
import { deleteDeadLetter, type ErasedPerson, selectDeadLettersWith, updateDeadLetter } from './sql.ts'

/** Removes a person's events from dead letters. Unreadable ones stay. */
export async function eraseDeadLetters(directory: Database, person: ErasedPerson): Promise<void> {
  const { applicationId, telegramId } = person
  let isMissed = false
  for (const deadLetter of await selectDeadLettersWith(directory, String(telegramId))) {
    if (parseMessage(deadLetter.body)?.applicationId !== applicationId) continue
    const rest = withoutUsers(deadLetter.body, new Set([telegramId]))
    if (rest === deadLetter.body) continue
    const [changed] = await (rest === null
      ? deleteDeadLetter(directory, deadLetter)
      : updateDeadLetter(directory, deadLetter, rest))
    if (!changed) isMissed = true
  }
  // One was changed or deleted meanwhile.
  if (isMissed) await eraseDeadLetters(directory, person)
}

/** Deletes the saved questions whose name or address contains a person's messenger id, as a number of its own. */
export async function eraseSavedQuestions(directory: Database, person: ErasedPerson): Promise<void> {
  const { applicationId, telegramId } = person
  const mention = new RegExp(`(?<!\\d)${telegramId}(?!\\d)`)
  for (const { name, address } of await listSavedQuestions(directory, applicationId)) {
    // In an address an escape may end with a digit, just before the id.
    const params = [...new URLSearchParams(address.replace(/^[^?]*/, ''))].flat()
    if ([name, ...params].some((text) => mention.test(text))) await deleteSavedQuestion(directory, applicationId, name)
  }
}
