import { MS_PER_HOUR } from '../base/time/days.ts'
import type { Database } from '../storage/database.ts'
import { EntryCache } from '../storage/memory.ts'
import { updateLastUse } from './sql.ts'

/** After a write that failed. */
const RETRY_MS = 60_000

interface KeyUse {
  readonly db: Database
  readonly keyHash: string
  readonly now: number
}

/** Notes the hour in which a key was used, unless a later one is noted already. */
export function noteUse({ db, keyHash, now }: KeyUse) {
  return updateLastUse(db, { keyHash, usedAt: hourOf(now) })
}

function hourOf(now: number): number {
  return now - (now % MS_PER_HOUR)
}

/** When the use of each key is next noted, by the key's hash: once an hour for each key. */
const dueAt = new EntryCache<number>(10_000)

/** Called with every request, so it is a single look-up in memory. */
export function isUseDue(keyHash: string, now: number): boolean {
  return now >= (dueAt.get(keyHash) ?? 0)
}

/** Run it in parallel to the request. A failure is retried a minute later. */
export async function noteDueUse(use: KeyUse): Promise<void> {
  const { keyHash, now } = use
  dueAt.set(keyHash, hourOf(now) + MS_PER_HOUR)
  try {
    await noteUse(use)
  } catch {
    dueAt.set(keyHash, now + RETRY_MS)
  }
}
