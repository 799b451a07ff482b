import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { actorOfKey, noteAct } from '../../../access/audit.ts'
import { hashSecret, isSameSecret } from '../../../access/secrets.ts'
import { signInWithKey } from '../../../access/sessions.ts'
import { problemOfSecrets } from '../../../accounts/applications/key-pair.ts'
import { createFirstAccount, hasAccount, PLANS } from '../../../accounts/new-account.ts'
import { limitNetwork, networkOf } from '../../../http/api/budgets.ts'
import type { AppEnv } from '../../../http/context.ts'
import { readForm } from '../../forms/fields-of-form.ts'
import { answerPage } from '../../frame/page.tsx'
import { countAttempt } from '../../request/attempts.ts'
import { DASHBOARD, NEW_APPLICATION, SETUP, SIGN_IN } from '../../request/next-page.ts'
import { setSessionCookie } from '../../request/visitor.ts'

/** A shorter one would be guessed. */
const SHORTEST_SECRET = 16

const WRONG_SECRET = `This is not the setup secret. It is the value of SETUP_SECRET that you chose for this service, at least ${SHORTEST_SECRET} characters. Set another with the command: npx wrangler secret put SETUP_SECRET`

const SetupFields = z.object({ secret: z.string(), name: z.string().trim().max(100) })

const LABEL_OF_UNNAMED = 'First account'

/** The page that makes the first account. It is gone once there is one. */
export function mountSetup(pages: Hono<AppEnv>): void {
  pages.get(SETUP, async (c) => {
    limitNetwork(c, 'questions', networkOf(c))
    return (await hasAccount(c.get('db'))) ? answerSetUpAlready(c) : answerWithForm(c)
  })
  pages.post(SETUP, readForm(SetupFields), async (c) => {
    const { secret, name } = c.req.valid('form')
    const outcome = await countAttempt<SetupOutcome>(c, () => setUp(c, secret.trim(), name))
    if (outcome.refusal !== undefined) return answerWithForm(c, { refusal: outcome.refusal, name })
    return outcome.apiKey === null ? answerSetUpAlready(c) : answerKey(c, outcome.apiKey)
  })
}

/** The key of the new account (null: there was an account already), or why there is none. */
type SetupOutcome =
  | { readonly apiKey: string | null; readonly refusal?: never }
  | { readonly apiKey?: never; readonly refusal: string }

async function setUp(c: Context<AppEnv>, secret: string, name: string): Promise<SetupOutcome> {
  const [db, now] = [c.get('db'), c.get('now')]
  if (await hasAccount(c.get('db'))) return { apiKey: null }
  if (!isSetupSecret(secret, c.env.SETUP_SECRET)) return { refusal: WRONG_SECRET }
  const problem = problemOfSecrets(c.env.KEY_SEALING_SECRET)
  if (problem !== null) return { refusal: problem }
  const plan = z.enum(PLANS).catch('enterprise').parse(c.env.DEFAULT_PLAN)
  const created = await createFirstAccount(db, { name: name || LABEL_OF_UNNAMED, plan, now })
  if (!created) return { apiKey: null }
  const { accountId, apiKey } = created
  await noteAct(db, { accountId, actor: actorOfKey(hashSecret(apiKey)), action: 'setUp' }, now)
  return created
}

/** A secret that is missing takes as long as one that is wrong. */
function isSetupSecret(given: string, secret = ''): boolean {
  const isLong = secret.length >= SHORTEST_SECRET
  return isSameSecret(given, isLong ? secret : randomUUID()) && isLong
}

const REFUSED_STATUS = 422

interface RefusedSetup {
  readonly refusal: string
  /** The name as it was typed. */
  readonly name: string
}

function answerWithForm(c: Context<AppEnv>, { refusal, name }: Partial<RefusedSetup> = {}): Response {
  const content = (
    <section class="card door">
      <h1>Set up Mauve</h1>
      {refusal === undefined ? (
        <p>Create the first account of this service. You are then signed in, and get its API key.</p>
      ) : (
        <p class="problem" role="alert">
          {refusal}
        </p>
      )}
      <form method="post" action={SETUP} class="fields">
        <label>
          Setup secret
          <input name="secret" type="password" autocomplete="off" spellcheck={false} required />
        </label>
        <label>
          Account name (optional)
          <input name="name" value={name} maxlength={100} autocomplete="organization" placeholder={LABEL_OF_UNNAMED} />
        </label>
        <button type="submit">Create account</button>
        {refusal === undefined && (
          <p class="hint">
            The setup secret is the value of <code>SETUP_SECRET</code> that you chose when you deployed this service.
          </p>
        )}
      </form>
    </section>
  )
  return answerPage(c, { title: 'Set up', status: refusal === undefined ? 200 : REFUSED_STATUS, content })
}

async function answerKey(c: Context<AppEnv>, apiKey: string): Promise<Response> {
  // The account exists, so its key is shown even if nobody can be signed in now.
  const signedIn = await signInWithKey(c.get('db'), apiKey, c.get('now')).catch(() => null)
  if (signedIn?.token !== undefined) setSessionCookie(c, signedIn.token)
  const content = (
    <section class="card door" data-shown-once={DASHBOARD}>
      <h1>Mauve is set up</h1>
      <p class="note" role="status">
        Copy the API key now: it opens everything and is shown only once.
      </p>
      <p>
        <code class="copied">{apiKey}</code>
      </p>
      <p>
        Keep the value of <code>KEY_SEALING_SECRET</code> in a safe place, too. Nothing else opens the private keys of
        your applications, and Cloudflare does not show it again.
      </p>
      <a class="button" href={NEW_APPLICATION}>
        Add your first app
      </a>
    </section>
  )
  return answerPage(c, { title: 'Set up', content })
}

function answerSetUpAlready(c: Context<AppEnv>): Response {
  const content = (
    <section class="card door">
      <h1>Already set up</h1>
      <p>This service has an account, so this page is closed. To create another account, use npm run account.</p>
      <a class="button" href={SIGN_IN}>
        Sign in
      </a>
    </section>
  )
  return answerPage(c, { title: 'Already set up', status: 404, content })
}
