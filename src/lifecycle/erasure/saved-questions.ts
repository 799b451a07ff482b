import { deleteSavedQuestion, listSavedQuestions } from '../../accounts/applications/saved-questions.ts'
import type { Database } from '../../storage/database.ts'
import type { ErasedPerson } from './sql.ts'

/** Deletes the saved questions whose name or address says a person's messenger id, as a number of its own. */
export async function eraseSavedQuestions(
  directory: Database,
  { applicationId, telegramId }: ErasedPerson,
): Promise<void> {
  const saying = new RegExp(`(?<!\\d)${telegramId}(?!\\d)`)
  for (const { name, address } of await listSavedQuestions(directory, applicationId)) {
    // In an address an escape may end with a digit, just before the id.
    const params = [...new URLSearchParams(address.replace(/^[^?]*/, ''))].flat()
    if ([name, ...params].some((text) => saying.test(text))) await deleteSavedQuestion(directory, applicationId, name)
  }
}
