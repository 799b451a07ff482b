import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { hashSecret } from '../../access/secrets.ts'
import { findVisitor, SESSION_SECONDS, type Visitor } from '../../access/sessions.ts'
import { Failure } from '../../base/errors.ts'
import { limitKey, limitNetwork, limitUnknownKeys, networkOf, requireKnownKeys } from '../../http/api/budgets.ts'
import type { AppEnv } from '../../http/context.ts'
import { signInAddress } from './next-page.ts'

export type { Visitor }

/** Lets those through who are signed in, as `visitor`; others are led to the sign-in. Who may only look gets 403 for a change. */
export const requireVisitor: MiddlewareHandler<AppEnv> = async (c, next) => {
  const visitor = await findSignedIn(c)
  if (!visitor) return c.redirect(signInAddress(c), 303)
  c.set('visitor', visitor)
  if (!isReading(c)) {
    requireChange(visitor)
    countChange(c, visitor)
  }
  return next()
}

/** Whether they may know the account's keys and members: a key of scope `read` does not open those over the API either. */
export function seesAccount({ canChange, keyId }: Visitor): boolean {
  return canChange || keyId === null
}

/** Throws `forbidden` for view-only access. */
function requireChange({ canChange }: Visitor): void {
  if (!canChange)
    throw new Failure('forbidden', 'You have view-only access. Ask an owner of this account to make this change.')
}

/** Counted like the same changes by API. Throws `too-many`. */
function countChange(c: Context<AppEnv>, { accountId }: Visitor): void {
  limitNetwork(c, 'registration', networkOf(c))
  limitKey(c, 'registration', accountId)
}

function isReading({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

/** Who is signed in, if anybody. Asks the database each time: a session ends at once. Throws `too-many`. */
export async function findSignedIn(c: Context<AppEnv>): Promise<Visitor | null> {
  const token = readSessionCookie(c)
  if (token === undefined) return null
  const network = networkOf(c)
  limitNetwork(c, 'questions', network)
  requireKnownKeys(c, network)
  const visitor = await findVisitor(c.get('db'), token, c.get('now'))
  if (visitor) limitKey(c, 'questions', hashSecret(token))
  else {
    limitUnknownKeys(c, network)
    clearSessionCookie(c)
  }
  return visitor
}

const NAME = 'mauve'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export function readSessionCookie(c: Context): string | undefined {
  return getCookie(c, NAME, ...(isOwnMachine(c) ? [] : (['host'] as const)))
}

export function setSessionCookie(c: Context, token: string): void {
  setCookie(c, NAME, token, { ...optionsFor(c), maxAge: SESSION_SECONDS })
}

export function clearSessionCookie(c: Context): void {
  deleteCookie(c, NAME, optionsFor(c))
}

function optionsFor(c: Context) {
  const prefix = isOwnMachine(c) ? {} : { prefix: 'host' as const, secure: true }
  return { ...prefix, httpOnly: true, sameSite: 'Lax' as const, path: '/' }
}

/** Not all browsers take a `Secure` cookie, and so a `__Host-` one, over plain HTTP from the machine that they run on. */
function isOwnMachine(c: Context): boolean {
  const { protocol, hostname } = new URL(c.req.url)
  return protocol === 'http:' && LOOPBACK.includes(hostname)
}
