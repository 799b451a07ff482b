import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../access/secrets.ts'
import { Failure } from '../../base/errors.ts'
import type { Database } from '../../storage/database.ts'
import { hashPassword, isPassword } from './password.ts'
import {
  countAttempt,
  deleteEndedShares,
  deleteShare,
  forgiveAttempt,
  insertShare,
  type ShareRow,
  selectOpenShare,
  selectShareOf,
  selectShares,
} from './sql.ts'

/** The most links of an application. */
export const MAX_SHARES = 100
/** The most sites that may embed a link. */
export const MAX_HOSTS = 10
export const PASSWORD_CHARACTERS = { min: 8, max: 200 } as const

/** The wrong passwords that lock a link, and the minutes within which they do. */
export const MAX_ATTEMPTS = 20
export const ATTEMPTS_MINUTES = 15
const ATTEMPTS_WINDOW_MS = ATTEMPTS_MINUTES * 60_000

const FULL = `An application has at most ${MAX_SHARES} links. Revoke one you no longer need.`
export const NO_SHARE = 'This link does not exist, has expired or was revoked. Ask its owner for a new one.'
const TOO_MANY_ATTEMPTS = `Too many passwords were tried on this link. Try again in ${ATTEMPTS_MINUTES} minutes.`

/** What a link shows: a board by its id, or a saved question by its name. */
export type Shared =
  | { readonly boardId: string; readonly report: null }
  | { readonly boardId: null; readonly report: string }

/** A link that has not ended. Its token is not known any more. */
export interface ShareLink extends Pick<ShareRow, 'boardId' | 'report' | 'hosts' | 'expiresAt' | 'createdAt'> {
  /** The first 16 characters of the hash: it identifies the link without opening it. */
  readonly id: string
  readonly hasPassword: boolean
  /** Whether too many wrong passwords were tried just now. */
  readonly isLocked: boolean
}

export type OpenShare = Awaited<ReturnType<typeof selectOpenShare>>[number]

interface Sharing {
  readonly applicationId: number
  readonly shared: Shared
  readonly hosts: readonly string[]
  /** Null for none. */
  readonly password: string | null
  readonly expiresAt: number | null
  readonly now: number
}

/** Returns the token of a new link and its id. The token is shown once. Throws `conflict` if the application has too many links. */
export async function createShare(db: Database, sharing: Sharing): Promise<{ token: string; id: string }> {
  const { shared, password, now: createdAt, ...row } = sharing
  const token = randomBytes(32).toString('base64url')
  const hash = hashSecret(token)
  const stored = {
    ...row,
    ...shared,
    hash,
    createdAt,
    password: password === null ? null : await hashPassword(password),
  }
  await deleteEndedShares(db, { applicationId: row.applicationId, now: createdAt })
  const [inserted] = await insertShare(db, stored, MAX_SHARES)
  if (!inserted) throw new Failure('conflict', FULL)
  return { token, id: shareId(hash) }
}

function shareId(hash: string): string {
  return hash.slice(0, 16)
}

/** Newest first. */
export async function listShares(db: Database, applicationId: number, now: number): Promise<ShareLink[]> {
  const rows = await selectShares(db, applicationId, now)
  return rows.map(({ hash, password, boardId, report, hosts, expiresAt, createdAt, attempts, attemptsSince }) => {
    const isLocked = attempts >= MAX_ATTEMPTS && attemptsSince > now - ATTEMPTS_WINDOW_MS
    const shown = { boardId, report, hosts, expiresAt, createdAt, isLocked }
    return { id: shareId(hash), hasPassword: password !== null, ...shown }
  })
}

/** Whether a link that has not ended shows a saved report, by itself or on a board. */
export async function isShared(db: Database, saved: Parameters<typeof selectShareOf>[1]): Promise<boolean> {
  return (await selectShareOf(db, saved)).length > 0
}

/** Returns whether there was one. The next request for its page finds nothing: no copy of it is kept. */
export async function revokeShare(db: Database, applicationId: number, id: string): Promise<boolean> {
  if (!/^[0-9a-f]{16}$/.test(id)) return false
  return (await deleteShare(db, { applicationId, id })).length > 0
}

/** Null for a token that opens nothing, or nothing any more. What cannot be a token is not looked up. */
export async function findOpenShare(db: Database, token: string, now: number): Promise<OpenShare | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  const [found] = await selectOpenShare(db, { hash: hashSecret(token), now })
  return found ?? null
}

/** Throws `too-many` where too many wrong ones were tried. */
export async function opensWith(db: Database, share: ShareRow, password: string, now: number): Promise<boolean> {
  if (share.password === null) return true
  const { hash } = share
  const [counted] = await countAttempt(db, { hash, now, windowMs: ATTEMPTS_WINDOW_MS, most: MAX_ATTEMPTS })
  if (!counted) throw new Failure('too-many', TOO_MANY_ATTEMPTS, { retryAfterSeconds: ATTEMPTS_WINDOW_MS / 1000 })
  if (!(await isPassword(password, share.password))) return false
  await forgiveAttempt(db, hash)
  return true
}

/** The origin of a host that somebody typed, with or without `https://`; null if it is none that may be framed in. */
export function readHost(text: string): string | null {
  // Anything else, such as `data:`, would be read as a host of that name.
  const isHost = /^[^:/\\]+(:\d+)?\/?$/.test(text)
  const url = URL.parse(isHost ? `https://${text}` : text)
  if (url?.pathname !== '/' || url.search || url.hash || url.username || url.password) return null
  // An asterisk would let in others than those that are listed.
  if (!/^[a-z0-9.-]+$/.test(url.hostname)) return null
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
  return isSafe ? url.origin : null
}
