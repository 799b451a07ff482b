import { Failure } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Database } from '../../storage/database.ts'
import { deleteSaved, selectSaved, selectUsersOfSaved, upsertSaved } from './sql.ts'

const MAX_SAVED_QUESTIONS = 200
export const MAX_NAME_CHARACTERS = 100
export const MAX_ADDRESS_CHARACTERS = 4_000

const FULL = `An application keeps ${MAX_SAVED_QUESTIONS} saved reports. Delete one that you no longer need.`

/** A named address of the pages. */
export interface SavedQuestion {
  readonly name: string
  /** A page of the application with its parameters, such as `funnels?events=A&events=B`. */
  readonly address: string
}

/** By name. */
export async function listSavedQuestions(db: Database, applicationId: number): Promise<SavedQuestion[]> {
  const saved = await selectSaved(db, applicationId)
  return saved.toSorted((a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()))
}

/** Replaces a question of the same name and returns whether there was one. Throws `conflict` if the application has too many. */
export async function saveQuestion(
  db: Database,
  { now: createdAt, ...question }: SavedQuestion & { readonly applicationId: number; readonly now: number },
) {
  const [saved] = await upsertSaved(db, { ...question, createdAt }, MAX_SAVED_QUESTIONS)
  if (!saved) throw new Failure('conflict', FULL)
  return { isReplaced: saved.createdAt !== createdAt }
}

/** Does nothing if there is no such question. Throws `conflict` if a digest or an alert is about it. */
export async function deleteSavedQuestion(db: Database, applicationId: number, name: string): Promise<void> {
  const users = await selectUsersOfSaved(db, { applicationId, name })
  if (users.length > 0) {
    const names = users.map((user) => `“${user.name}”`).join(', ')
    throw new Failure('conflict', `Notifications use this saved report: ${names}. Delete or change them first.`)
  }
  await deleteSaved(db, { applicationId, name })
}
