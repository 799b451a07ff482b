import type { Context } from 'hono'
import type { Choice } from '../accounts/sessions.ts'
import type { AppEnv } from '../context.ts'
import { MESSENGER_SIGN_IN, SIGN_IN } from './next-page.ts'
import { answerPage } from './page.tsx'

interface SignInPage {
  /** Where to go afterwards. */
  readonly next: string
  /** Of a link that was opened. */
  readonly token?: string | undefined
  /** Why somebody who tried was not signed in. */
  readonly refusal?: string
}

const REFUSED_STATUS = 422

/** Shows the ways in. A link is used up by its form only, since messengers open links that are sent, to preview them. */
export function answerSignInPage(c: Context<AppEnv>, { next, token, refusal }: SignInPage): Response {
  const content = (
    <section class="card door">
      <h1>Sign in</h1>
      {refusal !== undefined && (
        <p class="problem" role="alert">
          {refusal}
        </p>
      )}
      {token === undefined ? <KeyForm next={next} /> : <LinkForm next={next} token={token} />}
      {c.env.BOT_TOKEN && <MessengerForm next={next} />}
    </section>
  )
  return answerPage(c, { title: 'Sign in', status: refusal === undefined ? 200 : REFUSED_STATUS, content })
}

/** The script of the page sends it at once. */
function LinkForm({ next, token }: { next: string; token: string }) {
  return (
    <form method="post" action={SIGN_IN} class="fields" data-send-at-once>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="next" value={next} />
      <button type="submit">Sign in to Mauve</button>
    </form>
  )
}

function KeyForm({ next }: { next: string }) {
  return (
    <form method="post" action={SIGN_IN} class="fields">
      <input type="hidden" name="next" value={next} />
      <label>
        API key, of scope full or read
        <input name="key" type="password" autocomplete="off" spellcheck={false} required />
      </label>
      <button type="submit">Sign in</button>
      <p class="hint">
        Or open a sign-in link. Whoever runs this service makes one with
        <code class="command">npm run account -- sign-in --account ID</code>
        It works once, for ten minutes.
      </p>
    </form>
  )
}

/** The script of the page fills it in and sends it, where the messenger opened the page. */
function MessengerForm({ next }: { next: string }) {
  return (
    <form method="post" action={MESSENGER_SIGN_IN} data-messenger hidden>
      <input type="hidden" name="init_data" />
      <input type="hidden" name="next" value={next} />
    </form>
  )
}

interface ChoicePage extends Choice {
  readonly initData: string
  readonly next: string
}

/** For a person who is a member of several accounts. */
export function answerChoicePage(c: Context, { accounts, initData, next }: ChoicePage): Response {
  const content = (
    <section class="card door">
      <h1>Which account?</h1>
      {accounts.map(({ accountId, accountName }) => (
        <form method="post" action={MESSENGER_SIGN_IN} class="fields">
          <input type="hidden" name="init_data" value={initData} />
          <input type="hidden" name="next" value={next} />
          <button type="submit" class="quiet" name="account" value={accountId}>
            <bdi>{accountName}</bdi>
          </button>
        </form>
      ))}
    </section>
  )
  return answerPage(c, { title: 'Sign in', content })
}
