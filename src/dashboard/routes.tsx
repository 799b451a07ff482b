import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { trimTrailingSlash } from 'hono/trailing-slash'
import type { AppEnv } from '../context.ts'
import { Failure } from '../errors.ts'
import { toErrorPage } from './error-page.tsx'
import { DASHBOARD, MESSENGER_SIGN_IN, SIGN_IN, SIGN_OUT } from './next-page.ts'
import { mountPages } from './pages.ts'
import { mountSignIn } from './sign-in.ts'
import { requireVisitor } from './visitor.ts'

const MAX_FORM_BYTES = 1_048_576

/** Everything a page loads is its own; forms go to this service only, and no other page may show one of these in a frame. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The pages for people, in front of the same reports. Who comes to the door is led to them. */
export function mountDashboard(app: Hono<AppEnv>): void {
  const pages = new Hono<AppEnv>()
  pages.onError(toErrorPage)
  for (const path of [`${SIGN_IN}/*`, SIGN_OUT, `${DASHBOARD}/*`]) {
    pages.use(path, asPage, trimTrailingSlash(), csrf(), bodyLimit({ maxSize: MAX_FORM_BYTES, onError: refuseLarge }))
  }
  pages.get('/', (c) => c.redirect(DASHBOARD))
  mountSignIn(pages)
  pages.use(`${DASHBOARD}/*`, requireVisitor)
  mountPages(pages)
  // After all others.
  pages.all(`${DASHBOARD}/*`, nothingHere)
  for (const path of [SIGN_IN, MESSENGER_SIGN_IN, SIGN_OUT]) pages.all(path, refuseMethod)
  pages.all(`${SIGN_IN}/*`, nothingHere)
  app.route('/', pages)
}

function nothingHere(): never {
  throw new Failure('not-found', 'There is nothing at this address.')
}

/** Addresses of pages are opened, or sent a form. */
function refuseMethod(c: Context): never {
  c.header('Allow', 'GET, POST')
  throw new HTTPException(405, { message: 'This address takes GET and POST only.' })
}

function refuseLarge(): never {
  throw new Failure('too-large', 'The form is larger than 1 MiB.')
}

const asPage: MiddlewareHandler<AppEnv> = async (c, next) => {
  const headers = c.get('headers')
  headers['content-security-policy'] = POLICY
  // Without a referrer browsers would not say the origin of a form either.
  headers['referrer-policy'] = 'same-origin'
  await next()
  c.set('operation', { operationId: 'page', path: routePath(c) })
}
