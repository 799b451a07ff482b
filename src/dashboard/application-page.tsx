import type { Context, Handler } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { contextOf } from '../api/operation.ts'
import { findOwnApplication, type OwnApplication } from '../applications/applications.ts'
import { listSavedQuestions, type SavedQuestion } from '../applications/saved-questions.ts'
import type { AssetName } from '../assets/assets.ts'
import type { AppEnv, RequestContext } from '../context.ts'
import { listPropertiesRoute } from '../reports/properties/routes.ts'
import type { Database } from '../storage/database.ts'
import { dayOf } from '../time/days.ts'
import { canonical, homeOf, hrefTo, periodQuery, readView, type View } from './address.ts'
import { FilterBar } from './components/filter-bar.tsx'
import { attempt } from './components/problem.tsx'
import { SavedMenu, SavedNote } from './components/saved-menu.tsx'
import { toMoment } from './format.ts'
import { SIGN_OUT } from './next-page.ts'
import { answerPage } from './page.tsx'
import { type SavingNews, takeNews, toSavedAddress } from './saved-address.ts'
import type { Visitor } from './visitor.ts'

/** A request for a page about one application, and what its questions need. */
export interface ApplicationRequest {
  readonly c: Context<AppEnv>
  readonly visitor: Visitor
  readonly application: OwnApplication
  /** The application's own address. */
  readonly home: string
  readonly view: View
  /** For `ask` of any operation; the answers are about this application. */
  readonly context: RequestContext
  /** Parameters of events that occurred, as `params.<name>`, to choose from. */
  readonly params: Promise<readonly string[]>
}

/** What a page puts into the frame that all pages of an application share. */
export interface PageContent {
  readonly title: string
  readonly content: Child
  readonly scripts?: readonly AssetName[]
  /** 200 by default. */
  readonly status?: ContentfulStatusCode | undefined
}

type MakePage = (request: ApplicationRequest) => Promise<PageContent | Response>

/** How many parameters of events are offered to filter and group by. */
const OFFERED_PARAMS = 50

const AS_OF = 'figures-as-of'

/**
 * A page about one application of the visitor's account, which the path names by its handle. What a form sent may be answered
 * with another address instead. Throws `not-found` where the account has no such application.
 */
export function applicationPage(make: MakePage): Handler<AppEnv> {
  return (c) => answerInFrame(c, make, true)
}

/** The same of a page that is about no period and takes no filters, so that it shows none and offers nothing to filter by. */
export function plainPage(make: MakePage): Handler<AppEnv> {
  return (c) => answerInFrame(c, make, false)
}

async function answerInFrame(c: Context<AppEnv>, make: MakePage, hasFilters: boolean): Promise<Response> {
  const url = new URL(c.req.url)
  const better = canonical(url)
  if (better !== null) return c.redirect(better)
  const visitor = c.get('visitor')
  const application = await applicationOf(c)
  const home = homeOf(application)
  const news = takeNews(url)
  const view = readView(url, dayOf(c.get('now')))
  const saved = savedFor(c.get('db'), application, view)
  const { context, asOf } = contextAbout(c, application)
  const params = hasFilters ? offeredParams(view, context) : Promise.resolve([])
  const request = { c, visitor, application, home, view, context, params }
  const page = await make(request)
  if (page instanceof Response) return page
  const shown = { ...request, params: await params, asOf: asOf(), news, saved: await saved, hasFilters }
  return answerPage(c, {
    title: `${page.title} · ${application.name}`,
    status: page.status,
    scripts: page.scripts,
    bar: <Bar visitor={visitor} name={application.name} />,
    navigation: <Tabs home={home} view={view} />,
    content: <Frame {...page} {...shown} />,
  })
}

/** The application that the path names. Throws `not-found`. */
export function applicationOf(c: Context<AppEnv>): Promise<OwnApplication> {
  return findOwnApplication(c.get('db'), c.req.param('handle') ?? '', c.get('visitor'))
}

/** The saved questions, where a page asks one that could be among them. */
async function savedFor(
  db: Database,
  application: OwnApplication,
  view: View,
): Promise<readonly SavedQuestion[] | null> {
  const isQuestion = toSavedAddress(view, homeOf(application)) !== null
  const { data } = await attempt(isQuestion ? listSavedQuestions(db, application.id) : Promise.resolve(null))
  return data
}

async function offeredParams(view: View, context: RequestContext): Promise<readonly string[]> {
  const query = { ...periodQuery(view), limit: String(OFFERED_PARAMS) }
  const { data } = await attempt(listPropertiesRoute.ask({ query }, context))
  return (data?.data ?? []).map(({ property }) => property).filter(isParam)
}

function isParam(property: string): boolean {
  return property.startsWith('params.')
}

/**
 * What questions of this page may use, about an application if there is one. The oldest moment that their answers are of is
 * what the page says.
 */
export function contextAbout(c: Context<AppEnv>, application: OwnApplication | null) {
  const { accountId, plan, applicationId: onlyApplicationId } = c.get('visitor')
  c.set('access', { accountId, plan, scope: 'full', keyHash: '', application, onlyApplicationId })
  let oldest: string | null = null
  const setHeader = (name: string, value: string) => {
    if (name === AS_OF && (oldest === null || value < oldest)) oldest = value
  }
  const context: RequestContext = { ...contextOf(c), setHeader }
  return { context, asOf: () => oldest }
}

interface FrameShown extends PageContent, Pick<ApplicationRequest, 'visitor' | 'application' | 'home' | 'view'> {
  readonly params: readonly string[]
  readonly asOf: string | null
  /** Null where the page asks nothing that could be saved. */
  readonly saved: readonly SavedQuestion[] | null
  readonly news: SavingNews | null
  readonly hasFilters: boolean
}

const PAGES = [
  { path: '', label: 'Overview' },
  { path: '/events', label: 'Events' },
  { path: '/funnels', label: 'Funnels' },
  { path: '/retention', label: 'Retention' },
  { path: '/paths', label: 'Paths' },
  { path: '/users', label: 'Users' },
  { path: '/settings', label: 'Settings' },
]

function Tabs({ home, view }: Pick<FrameShown, 'home' | 'view'>) {
  return (
    <nav class="tabs" aria-label="Pages">
      {PAGES.map(({ path, label }) => (
        <a href={hrefTo(view, home + path)} aria-current={isCurrent(view.path, home, path) ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}

function Frame({ title, content, hasFilters, ...shown }: FrameShown) {
  const { visitor, application, home, view, params, asOf, saved, news } = shown
  return (
    <>
      <h1 class="unseen">{`${title} of ${application.name}`}</h1>
      {hasFilters && (
        <FilterBar view={view} params={params} valuesHref={`${home}/property-values`}>
          {saved && <SavedMenu saved={saved} view={view} home={home} canSave={visitor.canChange} />}
        </FilterBar>
      )}
      {saved && news && <SavedNote saved={saved} view={view} home={home} news={news} />}
      {content}
      <footer>
        {asOf && <p>{`Every event stored until ${toMoment(asOf)} is counted. Days are UTC.`}</p>}
        <p>
          <a href="/docs">API reference</a>
        </p>
      </footer>
    </>
  )
}

function isCurrent(path: string, home: string, page: string): boolean {
  const own = home + page
  return page === '' ? path === own : path === own || path.startsWith(`${own}/`)
}

/** Whose pages these are, and the way out. */
export function Bar({ visitor, name }: { visitor: Visitor; name?: string }) {
  return (
    <>
      {name !== undefined && (
        <span class="application">
          <bdi title={name}>{name}</bdi>
        </span>
      )}
      <form class="out" method="post" action={SIGN_OUT}>
        <span class="account">
          <bdi>{visitor.accountName}</bdi>
          {visitor.canChange ? '' : ' (view only)'}
        </span>
        <button type="submit" class="quiet">
          Sign out
        </button>
      </form>
    </>
  )
}
