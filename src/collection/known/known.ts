import type { Event } from '../../base/event.ts'
import { logError } from '../../base/log.ts'
import { bindingOf, databaseOf } from '../../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { chunksOf } from '../chunks.ts'
import { findDestinations, type Looking } from '../destinations/destination.ts'
import { type KnownKey, type KnownKind, selectKnown } from './sql.ts'

/** A bound value may be 2 MB long; a character may take 3 bytes, and a quotation mark another one. */
const CHUNK_CHARACTERS = 250_000
/** The most characters of JSON around a value. */
const AROUND_CHARACTERS = 50

/** Looks these keys up; the answer tells whether one of them is stored. */
export async function findKnown(
  db: BatchDatabase,
  kind: KnownKind,
  keys: readonly KnownKey[],
): Promise<(...key: KnownKey) => boolean> {
  const distinct = [...new Map(keys.map((key) => [key.join(' '), key])).values()]
  const sizeOf = ([, value]: KnownKey) => String(value).length + AROUND_CHARACTERS
  const known = new Set<string>()
  for (const chunk of chunksOf(distinct, CHUNK_CHARACTERS, sizeOf)) {
    for (const { applicationId, value } of await selectKnown(db, kind, chunk)) known.add(`${applicationId} ${value}`)
  }
  return (...key) => known.has(key.join(' '))
}

interface LookingIn extends Looking {
  readonly applicationId: number
}

/** Whether any of these events is of a new user. False if a database does not answer. */
export async function hasNewUsers(
  events: readonly Event[],
  { applicationId, ...looking }: LookingIn,
): Promise<boolean> {
  try {
    const { databases = [] } = (await findDestinations([applicationId], looking)).get(applicationId) ?? {}
    const users = new Set(events.map(({ telegramId }) => telegramId))
    const isNewIn = async ([number, ids]: [number, number[]]) => {
      const db = openDatabase(bindingOf(looking.env, number), 'lookUp')
      const keys = ids.map((id) => [applicationId, id] as const)
      const isKnown = await findKnown(db, 'user', keys)
      return keys.some((key) => !isKnown(...key))
    }
    const groups = Map.groupBy(users, (id) => databaseOf(databases, id))
    return (await Promise.all([...groups].map(isNewIn))).includes(true)
  } catch (error) {
    logError('users not looked up', error, { application: applicationId })
    return false
  }
}
