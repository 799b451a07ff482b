import type { BatchDatabase } from '../../storage/database.ts'
import {
  type ContextKey,
  type EventIdKey,
  type NameKey,
  selectKnownContexts,
  selectKnownIds,
  selectKnownNames,
  selectKnownUsers,
} from './sql.ts'

/** Those of these names that are stored, as `keyOfName` writes them. */
export function findKnownNames(db: BatchDatabase, names: readonly NameKey[]): Promise<ReadonlySet<string>> {
  return findKnown(names, keyOfName, (some) => selectKnownNames(db, some))
}

/** Those of these contexts that are stored, as `keyOfContext` writes them. */
export function findKnownContexts(db: BatchDatabase, keys: readonly ContextKey[]): Promise<ReadonlySet<string>> {
  return findKnown(keys, keyOfContext, (some) => selectKnownContexts(db, some))
}

/** Those of these ids that events were stored under, as `keyOfEventId` writes them. */
export function findKnownIds(db: BatchDatabase, ids: readonly EventIdKey[]): Promise<ReadonlySet<string>> {
  return findKnown(ids, keyOfEventId, (some) => selectKnownIds(db, some))
}

/** Whether all of these users of an application are stored. */
export async function areUsersKnown(db: BatchDatabase, applicationId: number, telegramIds: ReadonlySet<number>) {
  return (await selectKnownUsers(db, applicationId, [...telegramIds])).length === telegramIds.size
}

export function keyOfName({ applicationId, name }: NameKey): string {
  return `${applicationId} ${name}`
}

export function keyOfContext({ applicationId, fingerprint }: ContextKey): string {
  return `${applicationId} ${fingerprint}`
}

export function keyOfEventId({ applicationId, id }: EventIdKey): string {
  return `${applicationId} ${id}`
}

/** A bound value may be 2 MB long; a character may take 3 bytes, and a quotation mark another one. */
const CHUNK_CHARACTERS = 250_000
/** Of the JSON around a text. */
const AROUND_CHARACTERS = 50

async function findKnown<K>(
  keys: readonly K[],
  keyOf: (key: K) => string,
  select: (some: readonly K[]) => Promise<readonly K[]>,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  const distinct = new Map(keys.map((key) => [keyOf(key), key]))
  let [chunk, room] = [[] as K[], CHUNK_CHARACTERS]
  const look = async () => {
    for (const found of chunk.length > 0 ? await select(chunk) : []) known.add(keyOf(found))
    ;[chunk, room] = [[], CHUNK_CHARACTERS]
  }
  for (const [text, key] of distinct) {
    const size = text.length + AROUND_CHARACTERS
    if (size > room) await look()
    chunk.push(key)
    room -= size
  }
  await look()
  return known
}
