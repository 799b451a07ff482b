import type { Context, Handler } from 'hono'
import type { Child } from 'hono/jsx'
import { contextOf } from '../api/operation.ts'
import { findOwnApplication, type OwnApplication } from '../applications/applications.ts'
import { listSavedQuestions, type SavedQuestion } from '../applications/saved-questions.ts'
import type { AssetName } from '../assets/assets.ts'
import type { AppEnv, RequestContext } from '../context.ts'
import { listPropertiesRoute } from '../reports/properties/routes.ts'
import type { Database } from '../storage/database.ts'
import { dayOf } from '../time/days.ts'
import { canonical, hrefTo, periodQuery, readView, type View } from './address.ts'
import { FilterBar } from './components/filter-bar.tsx'
import { attempt } from './components/problem.tsx'
import { SavedMenu, SavedNote } from './components/saved-menu.tsx'
import { toMoment } from './format.ts'
import { DASHBOARD, SIGN_OUT } from './next-page.ts'
import { answerPage } from './page.tsx'
import { type SavingNews, takeNews, toSavedAddress } from './saved-address.ts'
import type { Visitor } from './visitor.ts'

/** A request for a page about one application, and what its questions need. */
export interface ApplicationRequest {
  readonly c: Context<AppEnv>
  readonly visitor: Visitor
  readonly application: OwnApplication
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
  readonly status?: 200 | 403 | 404 | 409 | 422 | 429 | 503
  readonly hasPeriod?: boolean
  readonly hasFilters?: boolean
}

interface PageOptions {
  /** Whether parameters of events are asked for, to choose from. */
  readonly offersParams?: boolean
}

/** How many parameters of events are offered to filter and group by. */
const OFFERED_PARAMS = 50

const AS_OF = 'figures-as-of'

/**
 * A page about one application of the visitor's account, which the path names by its handle. What a form sent may be answered
 * with another address instead. Throws `not-found` where the account has no such application.
 */
export function applicationPage(
  make: (request: ApplicationRequest) => Promise<PageContent | Response>,
  { offersParams = true }: PageOptions = {},
): Handler<AppEnv> {
  return async (c) => {
    const url = new URL(c.req.url)
    const better = canonical(url)
    if (better !== null) return c.redirect(better)
    const visitor = c.get('visitor')
    const handle = c.req.param('handle') ?? ''
    const application = await findOwnApplication(c.get('db'), handle, visitor)
    const news = takeNews(url)
    const view = readView(url, dayOf(c.get('now')))
    const saved = savedFor(c.get('db'), application, view)
    const { context, asOf } = contextAbout(c, application)
    const params = offersParams ? offeredParams(view, context) : Promise.resolve([])
    const page = await make({ c, visitor, application, view, context, params })
    if (page instanceof Response) return page
    const shown = { visitor, application, view, params: await params, asOf: asOf(), news, saved: await saved }
    return answerPage(c, {
      title: `${page.title} · ${application.name}`,
      status: page.status,
      scripts: page.scripts,
      bar: <Bar visitor={visitor} name={application.name} />,
      navigation: <Tabs application={application} view={view} />,
      content: <Frame {...page} {...shown} />,
    })
  }
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

interface FrameShown extends PageContent {
  readonly visitor: Visitor
  readonly application: OwnApplication
  readonly view: View
  readonly params: readonly string[]
  readonly asOf: string | null
  /** Null where the page asks nothing that could be saved. */
  readonly saved: readonly SavedQuestion[] | null
  readonly news: SavingNews | null
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

function Tabs({ application, view }: Pick<FrameShown, 'application' | 'view'>) {
  const home = homeOf(application)
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

function Frame({ title, content, hasPeriod = true, hasFilters = true, ...shown }: FrameShown) {
  const { visitor, application, view, params, asOf, saved, news } = shown
  const home = homeOf(application)
  return (
    <>
      <h1 class="unseen">{`${title} of ${application.name}`}</h1>
      {(hasPeriod || hasFilters) && (
        <FilterBar
          view={view}
          params={params}
          valuesHref={`${home}/property-values`}
          hasPeriod={hasPeriod}
          hasFilters={hasFilters}
        >
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

/** The address of an application's own pages. */
export function homeOf({ handle }: Pick<OwnApplication, 'handle'>): string {
  return `${DASHBOARD}/${handle}`
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
