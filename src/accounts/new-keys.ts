import { MS_PER_HOUR } from '../base/time/days.ts'
import { EntryCache } from '../storage/memory.ts'

/** For this long after a key was issued, the page that waits for its first event may be open. */
const NEW_MS = MS_PER_HOUR
/** An isolate reports each key's events to the application's object no more often than this. */
const REPORT_EVERY_MS = 1_000
/** How many keys an isolate and an object remember. */
export const MAX_NEW_KEYS = 1_000

/** The latest event that came with a key, as a page shows it. */
export interface EventOfKey {
  readonly name: string
  readonly telegramId: number
  /** When it happened: milliseconds since 1970 UTC. */
  readonly time: number
}

interface KeyUse {
  readonly keyHash: string
  /** Missing in accesses cached by release a465e32. */
  readonly keyIssuedAt?: number
}

/** When the events of each key are next reported, by the key's hash. */
const dueAt = new EntryCache<number>(MAX_NEW_KEYS)

/** Whether to report an event that arrives now to the application's object. Only while the key is new; nothing of it is stored. */
export function isReported({ keyHash, keyIssuedAt = 0 }: KeyUse, now: number): boolean {
  if (now - keyIssuedAt > NEW_MS || now < (dueAt.get(keyHash) ?? 0)) return false
  dueAt.set(keyHash, now + REPORT_EVERY_MS)
  return true
}
