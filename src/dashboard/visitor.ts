import type { Context, MiddlewareHandler } from 'hono'
import { hashSecret } from '../accounts/secrets.ts'
import { findVisitor, type Visitor } from '../accounts/sessions.ts'
import { limitKey, limitNetwork, limitUnknownKeys, networkOf, requireKnownKeys } from '../api/budgets.ts'
import type { AppEnv } from '../context.ts'
import { Failure } from '../errors.ts'
import { signInAddress } from './next-page.ts'
import { clearSessionCookie, readSessionCookie } from './session-cookie.ts'

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

/** Throws `forbidden` for somebody who may only look. */
function requireChange({ canChange }: Visitor): void {
  if (!canChange) throw new Failure('forbidden', 'You may look at everything here, but not change it.')
}

/** As the same changes by API are counted. Throws `too-many`. */
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
