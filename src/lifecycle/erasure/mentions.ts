import { forgetAnnotation, listAnnotations } from '../../accounts/annotations/annotations.ts'
import { changeSources } from '../../accounts/applications/applications.ts'
import { forgetSavedQuestion, listSavedQuestions } from '../../accounts/applications/saved-questions.ts'
import { deleteBoard, listBoards } from '../../accounts/boards/boards.ts'
import { withoutIds } from '../../base/text/messenger-ids.ts'
import { UTC } from '../../base/time/calendar.ts'
import { mapStartParameters, parseMessage, withoutUsers } from '../../collection/message.ts'
import { eraseFromCohorts } from '../../questions/user-cohorts/erased.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import {
  deleteDeadLetter,
  deleteNotificationsAbout,
  type ErasedPerson,
  selectDeadLettersWith,
  selectSources,
  updateDeadLetter,
} from './sql.ts'

/** Removes a person's events from dead letters, and their id from the start parameters of others. Unreadable ones stay. */
export async function eraseDeadLetters(directory: Database, person: ErasedPerson): Promise<void> {
  const { applicationId, telegramId } = person
  let isMissed = false
  for (const deadLetter of await selectDeadLettersWith(directory, String(telegramId))) {
    if (parseMessage(deadLetter.body)?.applicationId !== applicationId) continue
    const left = withoutUsers(deadLetter.body, new Set([telegramId]))
    const rest = left && mapStartParameters(left, (text) => withoutIds(text, (id) => id === telegramId))
    if (rest === deadLetter.body) continue
    const [changed] = await (rest === null
      ? deleteDeadLetter(directory, deadLetter)
      : updateDeadLetter(directory, deadLetter, rest))
    if (!changed) isMissed = true
  }
  // One was changed or deleted meanwhile.
  if (isMissed) await eraseDeadLetters(directory, person)
}

/**
 * Deletes the saved questions, boards, annotations, digests, alerts and messages that contain a person's messenger id, as a number
 * of its own, in any of their texts. Cohorts lose the person from their lists.
 */
export async function eraseMentions(directory: BatchDatabase, person: ErasedPerson): Promise<void> {
  const { applicationId, telegramId } = person
  const mention = new RegExp(`(?<!\\d)${telegramId}(?!\\d)`)
  for (const { id, text } of await listAnnotations(directory, { id: applicationId, calendar: UTC })) {
    if (mention.test(text)) await forgetAnnotation(directory, { applicationId, id })
  }
  // In an address an escape may end with a digit, just before the id.
  const isMentionedIn = (name: string, query: string) =>
    [name, ...[...new URLSearchParams(query)].flat()].some((text) => mention.test(text))
  for (const { name, address } of await listSavedQuestions(directory, applicationId)) {
    if (isMentionedIn(name, address.replace(/^[^?]*/, ''))) await forgetSavedQuestion(directory, applicationId, name)
  }
  for (const { id, name, query } of await listBoards(directory, applicationId)) {
    if (isMentionedIn(name, query)) await deleteBoard(directory, applicationId, id)
  }
  await directory.batch(deleteNotificationsAbout(directory, person))
  await eraseFromCohorts(directory, { ...person, isMentioned: (text) => mention.test(text) })
}

/** Replaces a person's messenger id in the rules of sources, so that they match what was replaced in start parameters. */
export async function eraseFromSources(
  directory: Database,
  { applicationId, telegramId }: ErasedPerson,
): Promise<void> {
  const [found] = await selectSources(directory, applicationId)
  const replace = (text: string) => withoutIds(text, (id) => id === telegramId)
  const rules = found?.sources.map(({ pattern, set = {} }) => {
    const values = Object.entries(set).map(([part, value]) => [part, value && replace(value)])
    return { pattern: replace(pattern), ...(values.length > 0 && { set: Object.fromEntries(values) }) }
  })
  if (rules && JSON.stringify(rules) !== JSON.stringify(found?.sources))
    await changeSources(directory, applicationId, rules)
}
