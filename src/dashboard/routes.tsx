import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { trimTrailingSlash } from 'hono/trailing-slash'
import { Failure } from '../base/errors.ts'
import type { AppEnv } from '../http/context.ts'
import { DASHBOARD, MESSENGER_SIGN_IN, SIGN_IN, SIGN_OUT } from './next-page.ts'
import { acquisitionPage } from './pages/acquisition/page.tsx'
import { addAnnotationOnPage, annotationsPage, deleteAnnotationOnPage } from './pages/annotations/page.tsx'
import { NEW_APPLICATION, newApplicationPage, registerOnPage } from './pages/applications/new.tsx'
import { applicationsPage } from './pages/applications/page.tsx'
import { botPage } from './pages/bot/page.tsx'
import { cohortsPage, deleteCohortOnPage, putCohortOnPage } from './pages/cohorts/page.tsx'
import { toErrorPage } from './pages/error/page.tsx'
import { eventsCsv } from './pages/events/csv.ts'
import { eventsPage } from './pages/events/page.tsx'
import { funnelsPage } from './pages/funnels/page.tsx'
import { overviewPage } from './pages/overview/page.tsx'
import { pathsPage } from './pages/paths/page.tsx'
import { retentionPage } from './pages/retention/page.tsx'
import { revenueCsv } from './pages/revenue/csv.ts'
import { revenuePage } from './pages/revenue/page.tsx'
import { deleteQuestion, savedQuestionsPage, saveQuestionPage } from './pages/saved-questions/page.tsx'
import { mountSignIn } from './pages/sign-in/page.tsx'
import { trendsPage } from './pages/trends/page.tsx'
import { trendsCsv } from './pages/trends/question.ts'
import { eraseOnPage, userPage } from './pages/user/page.tsx'
import { openTypedUser, usersPage } from './pages/users/page.tsx'
import { valuesPage } from './pages/values/page.tsx'
import { offerValues } from './property-values.ts'
import { mountSettings } from './settings/routes.ts'
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
  pages.all(`${DASHBOARD}/*`, nothingHere)
  for (const path of [SIGN_IN, MESSENGER_SIGN_IN, SIGN_OUT]) pages.all(path, refuseMethod)
  pages.all(`${SIGN_IN}/*`, nothingHere)
  app.route('/', pages)
}

function nothingHere(): never {
  throw new Failure('not-found', 'This page does not exist. Check the address, or go back to your applications.')
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

function mountPages(pages: Hono<AppEnv>): void {
  pages.get('/dashboard', applicationsPage)
  pages.get(NEW_APPLICATION, newApplicationPage)
  pages.post(NEW_APPLICATION, registerOnPage)
  pages.get('/dashboard/:handle', overviewPage)
  pages.get('/dashboard/:handle/values', valuesPage)
  pages.get('/dashboard/:handle/events', eventsPage)
  pages.get('/dashboard/:handle/events.csv', eventsCsv)
  pages.get('/dashboard/:handle/trends', trendsPage)
  pages.get('/dashboard/:handle/trends.csv', trendsCsv)
  pages.get('/dashboard/:handle/retention', retentionPage)
  pages.get('/dashboard/:handle/paths', pathsPage)
  pages.get('/dashboard/:handle/funnels', funnelsPage)
  pages.get('/dashboard/:handle/revenue', revenuePage)
  pages.get('/dashboard/:handle/revenue.csv', revenueCsv)
  pages.get('/dashboard/:handle/acquisition', acquisitionPage)
  pages.get('/dashboard/:handle/bot', botPage)
  pages.get('/dashboard/:handle/property-values', offerValues)
  pages.get('/dashboard/:handle/saved-questions', savedQuestionsPage())
  pages.post('/dashboard/:handle/saved-questions', saveQuestionPage)
  pages.post('/dashboard/:handle/saved-questions/delete', deleteQuestion)
  pages.get('/dashboard/:handle/annotations', annotationsPage)
  pages.post('/dashboard/:handle/annotations', addAnnotationOnPage)
  pages.post('/dashboard/:handle/annotations/delete', deleteAnnotationOnPage)
  pages.get('/dashboard/:handle/cohorts', cohortsPage)
  pages.post('/dashboard/:handle/cohorts', putCohortOnPage)
  pages.post('/dashboard/:handle/cohorts/delete', deleteCohortOnPage)
  pages.get('/dashboard/:handle/users', openTypedUser, usersPage)
  pages.get('/dashboard/:handle/users/:telegram_id', userPage)
  pages.post('/dashboard/:handle/users/:telegram_id/erase', eraseOnPage)
  mountSettings(pages)
}
