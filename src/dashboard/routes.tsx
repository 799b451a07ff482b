import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { trimTrailingSlash } from 'hono/trailing-slash'
import { Failure } from '../base/errors.ts'
import type { AppEnv } from '../http/context.ts'
import type { Face } from './faces/face.ts'
import { FACES } from './faces/faces.ts'
import { offerValues } from './faces/values/offered.ts'
import { csvOf } from './figures/csv-of.ts'
import { applicationPage, plainPage } from './frame/application-page.tsx'
import { type FormPage, mountFormPage } from './frame/form-page.ts'
import { ICON_SVG, PAGE_POLICY } from './frame/page.tsx'
import { annotationsPage } from './pages/annotations/page.tsx'
import { newApplicationPage, registerOnPage } from './pages/applications/new.tsx'
import { applicationList, applicationsPage } from './pages/applications/page.tsx'
import { boardPage, boardsPage } from './pages/boards/page.tsx'
import { cohortListCsv, cohortsPage } from './pages/cohorts/page.tsx'
import { toErrorPage } from './pages/error/page.tsx'
import { notificationsPage } from './pages/notifications/page.tsx'
import { overviewPage } from './pages/overview/page.tsx'
import { savedQuestionsPage } from './pages/saved-questions/page.tsx'
import { searchPage, searchResults } from './pages/search/page.tsx'
import { mountSetup } from './pages/setup/page.tsx'
import { sharesPage } from './pages/share/links.tsx'
import { sharedPages } from './pages/share/page.tsx'
import { mountSignIn } from './pages/sign-in/page.tsx'
import { openTypedUser, usersPage } from './pages/users/page.tsx'
import { DASHBOARD, MESSENGER_SIGN_IN, NEW_APPLICATION, SETUP, SIGN_IN, SIGN_OUT } from './request/next-page.ts'
import { requireVisitor } from './request/visitor.ts'
import { mountAccount, mountSettings } from './settings/routes.ts'

const MIB = 1_048_576

/** How large a form may be: one that uploads a list, somewhat more than the list itself. */
const limitForms = bodyLimit({ maxSize: MIB, onError: () => refuseLarge('The form is larger than 1 MiB.') })
const limitLists = bodyLimit({
  maxSize: 2 * MIB + 65_536,
  onError: () => refuseLarge('The file is larger than 2 MiB.'),
})
const limitBody: MiddlewareHandler = (c, next) =>
  (/\/cohorts\/list\/?$/.test(c.req.path) ? limitLists : limitForms)(c, next)

/** The pages for people, in front of the same reports. Who comes to the door is led to them. */
export function mountDashboard(app: Hono<AppEnv>): void {
  const pages = new Hono<AppEnv>()
  pages.onError(toErrorPage)
  for (const path of [`${SIGN_IN}/*`, SIGN_OUT, SETUP, `${DASHBOARD}/*`]) {
    pages.use(path, asPage, trimTrailingSlash(), csrf(), limitBody)
  }
  pages.get('/', (c) => c.redirect(DASHBOARD))
  // Browsers ask for it beside pages that name no icon, such as answers of the API.
  pages.get('/favicon.ico', (c) =>
    c.body(ICON_SVG, 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=86400' }),
  )
  mountSignIn(pages)
  mountSetup(pages)
  pages.use(`${DASHBOARD}/*`, requireVisitor)
  mountPages(pages)
  pages.all(`${DASHBOARD}/*`, nothingHere)
  for (const path of [SIGN_IN, MESSENGER_SIGN_IN, SIGN_OUT, SETUP]) pages.all(path, refuseMethod)
  pages.all(`${SIGN_IN}/*`, nothingHere)
  app.route('/', sharedPages())
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

function refuseLarge(sentence: string): never {
  throw new Failure('too-large', sentence)
}

const asPage: MiddlewareHandler<AppEnv> = async (c, next) => {
  const headers = c.get('headers')
  headers['content-security-policy'] = PAGE_POLICY
  // Without a referrer browsers would not say the origin of a form either.
  headers['referrer-policy'] = 'same-origin'
  await next()
  c.set('operation', { operationId: 'page', path: routePath(c) })
}

/** Pages with forms that change something. */
const FORM_PAGES: readonly FormPage[] = [
  savedQuestionsPage,
  boardsPage,
  boardPage,
  sharesPage,
  annotationsPage,
  notificationsPage,
  cohortsPage,
]

function mountPages(pages: Hono<AppEnv>): void {
  pages.get('/dashboard', applicationsPage)
  pages.get('/dashboard/app-list', applicationList)
  pages.get(NEW_APPLICATION, newApplicationPage)
  pages.post(NEW_APPLICATION, registerOnPage)
  mountAccount(pages)
  pages.get('/dashboard/:handle', overviewPage)
  for (const face of FACES) mountFace(pages, face)
  pages.get('/dashboard/:handle/search', searchPage)
  pages.get('/dashboard/:handle/search/results', searchResults)
  pages.get('/dashboard/:handle/property-values', offerValues)
  for (const page of FORM_PAGES) mountFormPage(pages, page)
  pages.get('/dashboard/:handle/cohorts.csv', cohortListCsv)
  pages.get('/dashboard/:handle/users', openTypedUser, usersPage)
  mountSettings(pages)
}

function mountFace(pages: Hono<AppEnv>, { page, make, kind, fragments = {}, changes = {}, before, csv }: Face): void {
  const path = `/dashboard/:handle/${page}`
  if (before) pages.get(path, before)
  if (make) pages.get(path, kind === 'plain' ? plainPage(make) : applicationPage(make, { isLive: kind === 'live' }))
  for (const [name, fragment] of Object.entries(fragments)) pages.get(`${path}/${name}`, fragment)
  for (const [name, change] of Object.entries(changes)) pages.post(`${path}/${name}`, plainPage(change))
  if (csv) pages.get(`${path}.csv`, csvOf(page, csv))
}
