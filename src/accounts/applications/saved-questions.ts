import { Failure } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { deleteSaved, pinEarlier, pinLast, selectSaved, selectUsersOfSaved, unpin, upsertSaved } from './sql.ts'

/** The most saved questions of an application. */
export const MAX_SAVED_QUESTIONS = 200
export const MAX_NAME_CHARACTERS = 100
/** The most of them on its overview. */
export const MAX_PINNED = 12
export const MAX_ADDRESS_CHARACTERS = 4_000

const FULL = `An application keeps ${MAX_SAVED_QUESTIONS} saved reports. Delete one that you no longer need.`

/** A named address of the pages. */
export interface SavedQuestion {
  readonly name: string
  /** A page of the application with its parameters, such as `funnels?events=A&events=B`. */
  readonly address: string
  /** The order of those that are pinned to the application's first page; null if it is not pinned. */
  readonly pinned: number | null
}

/** Lists an application's saved questions by name. */
export async function listSavedQuestions(db: Database, applicationId: number): Promise<SavedQuestion[]> {
  const saved = await selectSaved(db, applicationId)
  return saved.toSorted((a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()))
}

interface Saving extends Omit<SavedQuestion, 'pinned'> {
  readonly applicationId: number
  readonly now: number
}

/** Replaces a question of the same name and returns whether there was one. Throws `conflict` if the application has too many. */
export async function saveQuestion(db: Database, { now: createdAt, ...question }: Saving) {
  const [saved] = await upsertSaved(db, { ...question, createdAt }, MAX_SAVED_QUESTIONS)
  if (!saved) throw new Failure('conflict', FULL)
  return { isReplaced: saved.createdAt !== createdAt }
}

/**
 * With its links and its places on boards. Does nothing if there is no such question. Throws `conflict` if a digest or an alert is
 * about it.
 */
export async function deleteSavedQuestion(db: BatchDatabase, applicationId: number, name: string): Promise<void> {
  const users = await selectUsersOfSaved(db, { applicationId, name })
  if (users.length > 0) {
    const names = users.map((user) => `“${user.name}”`).join(', ')
    throw new Failure('conflict', `Notifications use this saved report: ${names}. Delete or change them first.`)
  }
  await forgetSavedQuestion(db, applicationId, name)
}

/** Deletes a saved question, even if a digest or an alert is about it. */
export async function forgetSavedQuestion(db: BatchDatabase, applicationId: number, name: string): Promise<void> {
  await db.batch(deleteSaved(db, { applicationId, name }))
}

export function pinnedOf<S extends Pick<SavedQuestion, 'pinned'>>(saved: readonly S[]): S[] {
  return saved.filter(({ pinned }) => pinned !== null).toSorted((a, b) => (a.pinned ?? 0) - (b.pinned ?? 0))
}

interface Pinning {
  readonly applicationId: number
  readonly name: string
  /** Pins it as the last one, moves it before the one that it follows, or unpins it. */
  readonly action: 'pin' | 'up' | 'unpin'
}

/** One statement each, so that none of several at the same time is lost. Throws `conflict` if too many would be pinned. */
export async function changePin(db: Database, { action, ...key }: Pinning): Promise<void> {
  if (action === 'up') return void (await pinEarlier(db, key))
  if (action === 'unpin') return void (await unpin(db, key))
  const [pinned] = await pinLast(db, key, MAX_PINNED)
  if (pinned || !(await selectSaved(db, key.applicationId)).some(({ name }) => name === key.name)) return
  throw new Failure('conflict', `At most ${MAX_PINNED} reports can be pinned.`)
}
