import type { Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { z } from 'zod'
import { messengerUserOf } from '../../../access/messenger-sign-in.ts'
import {
  type Choice,
  endSession,
  type SignedIn,
  signInAsMember,
  signInWithKey,
  signInWithLink,
  type Visitor,
} from '../../../access/sessions.ts'
import { hasAccount } from '../../../accounts/new-account.ts'
import { Failure } from '../../../base/errors.ts'
import type { AppEnv } from '../../../http/context.ts'
import { readForm } from '../../forms/fields-of-form.ts'
import { answerPage } from '../../frame/page.tsx'
import { countAttempt } from '../../request/attempts.ts'
import { MESSENGER_SIGN_IN, nextPage, SETUP, SIGN_IN, SIGN_OUT } from '../../request/next-page.ts'
import { clearSessionCookie, findSignedIn, readSessionCookie, setSessionCookie } from '../../request/visitor.ts'

interface SignInPage {
  readonly next: string
  /** The token of a sign-in link. */
  readonly token?: string | undefined
  readonly refusal?: string
  /** Anybody may send a link, so a session that exists ends only by a click. */
  readonly visitor?: Visitor | null
}

const REFUSED_STATUS = 422

/** Only the form uses up a link, because messengers open links to preview them. */
function answerSignInPage(c: Context<AppEnv>, { next, token, refusal, visitor = null }: SignInPage): Response {
  const content = (
    <section class="card door">
      <h1>Sign in</h1>
      {refusal !== undefined && (
        <p class="problem" role="alert">
          {refusal}
        </p>
      )}
      {c.env.BOT_TOKEN && <MessengerForm next={next} visitor={visitor} />}
      {token === undefined ? <KeyForm next={next} /> : <LinkForm next={next} token={token} visitor={visitor} />}
    </section>
  )
  return answerPage(c, { title: 'Sign in', status: refusal === undefined ? 200 : REFUSED_STATUS, content })
}

interface FormShown {
  readonly next: string
  readonly visitor: Visitor | null
}

/** The script of the page sends it if nobody is signed in. */
function LinkForm({ next, token, visitor }: FormShown & { token: string }) {
  return (
    <form method="post" action={SIGN_IN} class="fields" data-send-at-once={visitor ? undefined : ''}>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="next" value={next} />
      {visitor ? (
        <Question next={next} visitor={visitor} action="Use this link">
          This link ends that session and may sign you in to a different account. Use it only if you asked for it.
        </Question>
      ) : (
        <button type="submit">Sign in to Mauve</button>
      )}
    </form>
  )
}

interface QuestionShown {
  readonly next: string
  readonly visitor: Visitor
  readonly action: string
  readonly children: Child
}

function Question({ next, visitor, action, children }: QuestionShown) {
  return (
    <>
      <p>
        You are signed in to <bdi>{visitor.accountName}</bdi>. {children}
      </p>
      <a class="button" href={next}>
        Stay signed in
      </a>
      <button type="submit" class="quiet">
        {action}
      </button>
    </>
  )
}

function KeyForm({ next }: { next: string }) {
  return (
    <form method="post" action={SIGN_IN} class="fields">
      <input type="hidden" name="next" value={next} />
      <label>
        API key (full or read)
        <input name="key" type="password" autocomplete="off" spellcheck={false} required />
      </label>
      <button type="submit">Sign in</button>
      <p class="hint">
        Or open a sign-in link. The operator of this service creates one with
        <code class="command">npm run account -- sign-in --account ID</code>A link works once, for ten minutes.
      </p>
    </form>
  )
}

/** The script of the page fills it in inside the messenger, and sends it if nobody is signed in. */
function MessengerForm({ next, visitor }: FormShown) {
  return (
    <form method="post" action={MESSENGER_SIGN_IN} data-messenger={visitor ? 'ask' : ''} hidden>
      <input type="hidden" name="init_data" />
      <input type="hidden" name="next" value={next} />
      {visitor && (
        <div class="fields">
          <Question next={next} visitor={visitor} action="Sign in with Telegram">
            This address ends that session and may sign you in to a different account. Continue only if you opened it in
            Telegram yourself.
          </Question>
        </div>
      )}
    </form>
  )
}

interface ChoicePage extends Choice {
  readonly initData: string
  readonly next: string
}

/** For a member of several accounts, or of one that they have not signed in to yet. */
function answerChoicePage(c: Context, { accounts, initData, next }: ChoicePage): Response {
  const isChoice = accounts.length > 1
  const content = (
    <section class="card door">
      <h1>{isChoice ? 'Choose an account' : 'Sign in'}</h1>
      <p>
        The account that you sign in to may send you messages through this bot. To stop them, send /stop to the bot.
      </p>
      {accounts.map(({ accountId, accountName }) => (
        <form method="post" action={MESSENGER_SIGN_IN} class="fields">
          <input type="hidden" name="init_data" value={initData} />
          <input type="hidden" name="next" value={next} />
          <button type="submit" class="quiet" name="account" value={accountId}>
            {isChoice ? '' : 'Sign in to '}
            <bdi>{accountName}</bdi>
          </button>
        </form>
      ))}
    </section>
  )
  return answerPage(c, { title: 'Sign in', content })
}

const next = z.string().optional().transform(nextPage)
const SignInFields = z.union([z.object({ token: z.string(), next }), z.object({ key: z.string(), next })])

const MessengerFields = z.object({ init_data: z.string(), account: z.string().optional(), next })

export function mountSignIn(pages: Hono<AppEnv>): void {
  pages.get(SIGN_IN, async (c) => {
    const { next: wanted, token } = c.req.query()
    if (token === undefined && (await isWaitingForSetup(c))) return c.redirect(SETUP, 303)
    return answerSignInPage(c, { next: nextPage(wanted), token, visitor: await findSignedIn(c) })
  })
  pages.post(SIGN_IN, readForm(SignInFields), async (c) => {
    const form = c.req.valid('form')
    const [db, now] = [c.get('db'), c.get('now')]
    const signedIn = await countAttempt<SignedIn>(c, () =>
      'token' in form ? signInWithLink(db, form.token, now) : signInWithKey(db, form.key.trim(), now),
    )
    // A link that is opened a second time leads on if it has signed its user in.
    const isSignedIn = signedIn.refusal !== undefined && 'token' in form && (await findSignedIn(c)) !== null
    return isSignedIn ? c.redirect(form.next, 303) : answerSignedIn(c, signedIn, form.next)
  })
  pages.post(MESSENGER_SIGN_IN, readForm(MessengerFields), async (c) => {
    const { init_data: initData, account, next } = c.req.valid('form')
    const signedIn = await countAttempt<SignedIn | Choice>(c, () => signInByMessenger(c, initData, account))
    return 'accounts' in signedIn
      ? answerChoicePage(c, { ...signedIn, initData, next })
      : answerSignedIn(c, signedIn, next)
  })
  pages.post(SIGN_OUT, async (c) => {
    await endOldSession(c)
    clearSessionCookie(c)
    return c.redirect(SIGN_IN, 303)
  })
  // Reached by reloading after a form was sent.
  for (const path of [MESSENGER_SIGN_IN, SIGN_OUT]) pages.get(path, (c) => c.redirect(SIGN_IN, 303))
}

async function signInByMessenger(c: Context<AppEnv>, initData: string, account: string | undefined) {
  const { BOT_TOKEN: botToken } = c.env
  if (!botToken) throw new Failure('not-found', 'Signing in inside Telegram is not set up here.')
  const { telegramId, refusal } = await messengerUserOf(initData, { botToken, now: c.get('now') })
  if (refusal !== undefined) return { refusal }
  return signInAsMember(c.get('db'), { telegramId, accountId: account }, c.get('now'))
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

/** Whether there is nobody yet who could sign in. */
async function isWaitingForSetup(c: Context<AppEnv>): Promise<boolean> {
  return !(await hasAccount(c.get('db')).catch(() => true))
}
