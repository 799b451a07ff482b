import { logError } from '../base/log.ts'
import type { Database } from '../storage/database.ts'
import { keyId } from './api-keys.ts'
import { deleteAudit, insertAudit } from './sql.ts'

/** Who acted: an API key (by its id), a member (by their messenger id), a visitor with a sign-in link, or an operator's command. */
export type Actor =
  | { readonly kind: 'key'; readonly id: string }
  | { readonly kind: 'member'; readonly id: string }
  | { readonly kind: 'link' | 'command'; readonly id: null }

/** Something that was done in an account. */
export interface Act {
  readonly accountId: string
  readonly actor: Actor
  /** The id of the operation, or of what only pages and commands do, such as `signIn`. */
  readonly action: string
  /** The application that it was about, if it was about one, by its id or without its at-sign. */
  readonly applicationId?: number | null
  readonly handle?: string | null
  /** The id or the name of what was changed. Never a user of an application: who is erased leaves no trace here either. */
  readonly target?: string | null
  /** Whether all otherwise equal acts of an hour share one entry. */
  readonly isHourly?: boolean | undefined
}

export const BY_COMMAND: Actor = { kind: 'command', id: null }

/** Who is signed in: a member, with a key, or with a link. */
interface SignedInPerson {
  readonly telegramId: number | null
  readonly keyId: string | null
}

export function actorOf({ telegramId, keyId: id }: SignedInPerson): Actor {
  if (telegramId !== null) return { kind: 'member', id: String(telegramId) }
  return id === null ? { kind: 'link', id } : { kind: 'key', id }
}

export function actorOfKey(keyHash: string): Actor {
  return { kind: 'key', id: keyId(keyHash) }
}

/** Writes down what was done. It is done by now: where this fails, the log says what the list lacks. */
export async function noteAct(db: Database, act: Act, now: number): Promise<void> {
  const { actor, isHourly = false, ...others } = act
  const { accountId, action, applicationId, handle, target } = others
  const once = [accountId, actor.kind, actor.id, action, applicationId, handle, target, Math.floor(now / MS_PER_HOUR)]
  try {
    const row = { ...others, actor: actor.kind, actorId: actor.id, at: now }
    await insertAudit(db, { ...row, once: isHourly ? JSON.stringify(once) : null })
  } catch (error) {
    logError('not in the audit list', error, { action: act.action })
  }
}

const MS_PER_HOUR = 3_600_000

export const AUDIT_MONTHS = 13
/** For each account. */
export const MOST_ACTS = 10_000

/** Forgets what is older than 13 months, and the oldest where an account has too many; returns how many. */
export async function forgetActs(db: Database, now: number): Promise<number> {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - AUDIT_MONTHS)
  return (await deleteAudit(db, { before: before.getTime(), most: MOST_ACTS })).length
}
