import { Failure } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Database } from '../../storage/database.ts'
import { deleteSaved, selectSaved, upsertSaved } from './sql.ts'

const MAX_SAVED_QUESTIONS = 200
export const MAX_NAME_CHARACTERS = 100
export const MAX_ADDRESS_CHARACTERS = 4_000

const FULL = `An application keeps ${MAX_SAVED_QUESTIONS} questions. Delete one that nobody asks any more.`

/** A name for an address of the pages. */
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

interface Saving extends SavedQuestion {
  readonly applicationId: number
  readonly now: number
}

/** The same name stands for the new question from now on: returns whether it stood for another one. Throws `conflict` where there is no room. */
export async function saveQuestion(db: Database, saving: Saving): Promise<{ readonly isReplaced: boolean }> {
  const [saved] = await upsertSaved(db, { ...saving, most: MAX_SAVED_QUESTIONS })
  if (!saved) throw new Failure('conflict', FULL)
  return { isReplaced: saved.createdAt !== saving.now }
}

/** Does nothing where nothing has this name. */
export async function deleteSavedQuestion(db: Database, applicationId: number, name: string): Promise<void> {
  await deleteSaved(db, { applicationId, name })
}
