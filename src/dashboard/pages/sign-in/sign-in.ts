import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { messengerUserOf } from '../../../access/messenger-sign-in.ts'
import {
  type Choice,
  endSession,
  type SignedIn,
  signInAsMember,
  signInWithKey,
  signInWithLink,
} from '../../../access/sessions.ts'
import { Failure } from '../../../base/errors.ts'
import { limitNetwork, limitUnknownKeys, networkOf, requireKnownKeys } from '../../../http/api/budgets.ts'
import type { AppEnv } from '../../../http/context.ts'
import { readForm } from '../../forms.ts'
import { MESSENGER_SIGN_IN, nextPage, SIGN_IN, SIGN_OUT } from '../../next-page.ts'
import { clearSessionCookie, findSignedIn, readSessionCookie, setSessionCookie } from '../../visitor.ts'
import { answerChoicePage, answerSignInPage } from './page.tsx'

const next = z.string().optional().transform(nextPage)
const SignInForm = z.union([z.object({ token: z.string(), next }), z.object({ key: z.string(), next })])

const MessengerForm = z.object({ init_data: z.string(), account: z.string().optional(), next })

/** The ways in, and the way out. */
export function mountSignIn(pages: Hono<AppEnv>): void {
  pages.get(SIGN_IN, async (c) => {
    const { next: wanted, token } = c.req.query()
    return answerSignInPage(c, { next: nextPage(wanted), token, visitor: await findSignedIn(c) })
  })
  pages.post(SIGN_IN, readForm(SignInForm), async (c) => {
    const form = c.req.valid('form')
    const [db, now] = [c.get('db'), c.get('now')]
    const signedIn = await counted(c, () =>
      'token' in form ? signInWithLink(db, form.token, now) : signInWithKey(db, form.key.trim(), now),
    )
    // Who opens their link a second time needs no other one.
    const isSignedIn = signedIn.refusal !== undefined && 'token' in form && (await findSignedIn(c)) !== null
    return isSignedIn ? c.redirect(form.next, 303) : answerSignedIn(c, signedIn, form.next)
  })
  pages.post(MESSENGER_SIGN_IN, readForm(MessengerForm), async (c) => {
    const { init_data: initData, account, next } = c.req.valid('form')
    const signedIn = await counted(c, () => signInByMessenger(c, initData, account))
    return 'accounts' in signedIn
      ? answerChoicePage(c, { ...signedIn, initData, next })
      : answerSignedIn(c, signedIn, next)
  })
  pages.post(SIGN_OUT, async (c) => {
    await endOldSession(c)
    clearSessionCookie(c)
    return c.redirect(SIGN_IN, 303)
  })
  // Whoever asks again for an address to which a form was sent.
  for (const path of [MESSENGER_SIGN_IN, SIGN_OUT]) pages.get(path, (c) => c.redirect(SIGN_IN, 303))
}

/** Inside the messenger, where the service has a bot. */
async function signInByMessenger(c: Context<AppEnv>, initData: string, account: string | undefined) {
  const { BOT_TOKEN: botToken } = c.env
  if (!botToken) throw new Failure('not-found', 'Signing in inside Telegram is not set up here.')
  const { telegramId, refusal } = await messengerUserOf(initData, { botToken, now: c.get('now') })
  if (refusal !== undefined) return { refusal }
  return signInAsMember(c.get('db'), { telegramId, accountId: account }, c.get('now'))
}

/** Tries of one address are counted as questions with an unknown API key are. Throws `too-many`. */
async function counted<T extends SignedIn | Choice>(c: Context<AppEnv>, trySignIn: () => Promise<T>): Promise<T> {
  const network = networkOf(c)
  limitNetwork(c, 'questions', network)
  requireKnownKeys(c, network)
  const signedIn = await trySignIn()
  if (signedIn.refusal) limitUnknownKeys(c, network)
  return signedIn
}

async function answerSignedIn(c: Context<AppEnv>, { token, refusal }: SignedIn, next: string): Promise<Response> {
  if (refusal !== undefined) return answerSignInPage(c, { next, refusal })
  await endOldSession(c)
  setSessionCookie(c, token)
  return c.redirect(next, 303)
}

async function endOldSession(c: Context<AppEnv>): Promise<void> {
  const token = readSessionCookie(c)
  if (token !== undefined) await endSession(c.get('db'), token)
}
