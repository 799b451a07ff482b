import type { Database } from '../storage/database.ts'
import { putNewest } from '../storage/newest.ts'
import { updateLastUse } from './sql.ts'

const HOUR_MS = 3_600_000
/** After a write that failed. */
const RETRY_MS = 60_000
/** How many keys an isolate remembers. One that is forgotten is looked at once more, and its row is written no second time. */
const MAX_KEYS = 10_000

interface Use {
  readonly db: Database
  readonly keyHash: string
  readonly now: number
}

/** Notes the hour in which a key was used, if it was not used later. */
export function noteUse({ db, keyHash, now }: Use) {
  return updateLastUse(db, { keyHash, usedAt: hourOf(now) })
}

function hourOf(now: number): number {
  return now - (now % HOUR_MS)
}

/** Notes the hour in which each key was last used, with one write for each key and hour at most. */
export class LastUse {
  /** When the key is to be noted again, by its hash. */
  readonly #dueAt = new Map<string, number>()

  /** Asked with every request, so it is one look into memory. */
  isDue(keyHash: string, now: number): boolean {
    return now >= (this.#dueAt.get(keyHash) ?? 0)
  }

  /** For behind the answer: whatever goes wrong is tried again a minute later. */
  async note({ db, keyHash, now }: Use): Promise<void> {
    this.#remember(keyHash, hourOf(now) + HOUR_MS)
    try {
      await noteUse({ db, keyHash, now })
    } catch {
      this.#remember(keyHash, now + RETRY_MS)
    }
  }

  #remember(keyHash: string, dueAt: number): void {
    putNewest(this.#dueAt, [keyHash, dueAt], MAX_KEYS)
  }
}
