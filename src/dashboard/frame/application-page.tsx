import type { Context, Handler } from 'hono'
import { type Annotation, listAnnotations } from '../../accounts/annotations/annotations.ts'
import { dataSince } from '../../accounts/applications/kept.ts'
import { listSavedQuestions, type SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import type { AppEnv } from '../../http/context.ts'
import { listCohortNames } from '../../questions/user-cohorts/cohorts.ts'
import type { Database } from '../../storage/database.ts'
import { occurring, offeredParams } from '../faces/events/offered.ts'
import { countActiveNow } from '../faces/live/link.tsx'
import { meantFilter, offeredValuesHref } from '../faces/values/offered.ts'
import { isKnown, type KeptApplication } from '../figures/comparison.ts'
import { FilterBar } from '../forms/filter-bar.tsx'
import { canonical, hrefTo, periodQuery, typedFilters } from '../request/address.ts'
import { type ApplicationRequest, requestAt } from '../request/application-request.ts'
import type { MakePage, PageContent } from '../request/page-content.ts'
import { attempt } from '../request/problem.tsx'
import { toDay, toMoment, toTime } from '../words/format.ts'
import { Annotations } from './annotations.tsx'
import { ApiCommand } from './api-command.tsx'
import { type NavigationEntry, pagesFor } from './navigation.ts'
import { answerPage } from './page.tsx'
import { Navigation } from './rail.tsx'
import { hrefOfSaved, SavedMenu, SavedNote, type SavingNews, takeNews, toSavedAddress } from './saved-menu.tsx'

/**
 * A page about one application of the visitor's account, which the path names by its handle. What a form sent may be answered
 * with another address instead. The header of a live one says how many users are active now. Throws `not-found` where the account
 * has no such application.
 */
export function applicationPage(make: MakePage, { isLive = false } = {}): Handler<AppEnv> {
  return (c) => answerInFrame(c, make, { hasFilters: true, isLive })
}

/** A page without period and filters. */
export function plainPage(make: MakePage): Handler<AppEnv> {
  return (c) => answerInFrame(c, make, { hasFilters: false, isLive: false })
}

interface FrameKind {
  readonly hasFilters: boolean
  readonly isLive: boolean
}

async function answerInFrame(c: Context<AppEnv>, make: MakePage, { hasFilters, isLive }: FrameKind): Promise<Response> {
  const url = new URL(c.req.url)
  const news = takeNews(url)
  const { asOf, warnings, ...asking } = await requestAt(c, url)
  const { visitor, application, home, view, context } = asking
  const meant = typedFilters(url).map(async ({ param, filter }) => ({
    param,
    filter: await meantFilter(filter, { period: periodQuery(view), context }),
  }))
  const better = canonical(url, await Promise.all(meant))
  if (better !== null) return c.redirect(better)
  const saved = savedFor(c.get('db'), asking)
  const params = hasFilters ? offeredParams(view, context) : Promise.resolve([])
  const cohorts = hasFilters ? offeredCohorts(c.get('db'), application) : Promise.resolve([])
  const pages = pagesFor(context)
  const request = { ...asking, ...occurring(asking), params, cohorts, saved }
  const [page, activeNow] = await Promise.all([make(request), isLive ? countActiveNow(context) : null])
  if (page instanceof Response) return page
  const annotations = page.hasDays ? await annotationsOf(c.get('db'), application) : null
  const shown = { request, page, asOf: asOf(), warnings: [...warnings], news, saved: await saved, annotations }
  const filters = hasFilters ? { params: await params, cohorts: await cohorts } : null
  return answerPage(c, {
    title: [page.subject, page.title, application.name].filter(Boolean).join(' · '),
    status: page.status,
    scripts: page.scripts,
    visitor,
    application,
    activeNow,
    navigation: <PagesOf pages={await pages} home={home} view={view} />,
    content: <Frame {...shown} filters={filters} />,
  })
}

/** Null if the page cannot be saved. */
async function savedFor(
  db: Database,
  { application, home, view }: Pick<ApplicationRequest, 'application' | 'home' | 'view'>,
): Promise<readonly SavedQuestion[] | null> {
  const isQuestion = toSavedAddress(view, home) !== null
  const { data } = await attempt(isQuestion ? listSavedQuestions(db, application.id) : Promise.resolve(null))
  return data
}

/** None if they cannot be read right now. */
async function annotationsOf(db: Database, { id, timeZone }: ApplicationRequest['application']) {
  const { data } = await attempt(listAnnotations(db, { id, calendar: calendarOf(timeZone) }))
  return data ?? []
}

/** Returns an empty list if reading fails. */
async function offeredCohorts(db: Database, { id }: ApplicationRequest['application']): Promise<readonly string[]> {
  const { data } = await attempt(listCohortNames(db, id))
  return data ?? []
}

interface FrameShown {
  readonly request: ApplicationRequest
  readonly page: PageContent
  /** What filters can be about; null where the page has none. */
  readonly filters: { readonly params: readonly string[]; readonly cohorts: readonly string[] } | null
  readonly asOf: string | null
  readonly warnings: readonly string[]
  /** Null if the page asks nothing that could be saved. */
  readonly saved: readonly SavedQuestion[] | null
  readonly news: SavingNews | null
  /** Null where the page has no plots of days. */
  readonly annotations: readonly Annotation[] | null
}

interface PagesShown extends Pick<ApplicationRequest, 'home' | 'view'> {
  readonly pages: readonly NavigationEntry[]
}

function PagesOf({ pages, home, view }: PagesShown) {
  const links = pages.map(({ page, ...entry }) => {
    const own = hrefOfSaved(home, page)
    const isCurrent = view.path === own || (page !== '' && view.path.startsWith(`${own}/`))
    return { ...entry, href: hrefTo(view, own), isCurrent }
  })
  return <Navigation label="Pages" links={links} />
}

/** The filters, a page's own content, and how fresh its figures are. */
function Frame({ request, page, filters, asOf, warnings, saved, news, annotations }: FrameShown) {
  const { c, visitor, application, home, view, clock } = request
  const { title, content, hasHeading, from = view.period?.from, command } = page
  const menu = saved && { saved, view, home, canSave: visitor.canChange }
  return (
    <>
      <div class={hasHeading ? 'unseen' : 'page-head'}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {filters && (
          <FilterBar view={view} {...filters} valuesHref={offeredValuesHref(home)}>
            {menu && <SavedMenu {...menu} />}
          </FilterBar>
        )}
      </div>
      {menu && news && <SavedNote {...menu} news={news} />}
      {warnings.map((sentence) => (
        <p class="note" role="status">
          <bdi>{sentence}</bdi>
        </p>
      ))}
      {filters && <DataSince from={from} application={application} />}
      {content}
      {saved && command && (
        <ApiCommand
          origin={new URL(c.req.url).origin}
          projectId={application.projectId}
          path={command.operation.contract.path}
          query={command.query}
        />
      )}
      {annotations && <Annotations annotations={annotations} view={view} home={home} canChange={visitor.canChange} />}
      <footer>
        {asOf && <p title={toMoment(asOf, clock)}>{`Up to date ${toTime(asOf, clock).slice(0, 5)}`}</p>}
        <p
          data-days-end={toIso(calendarOf(clock.timeZone).startOf(view.today + 1))}
        >{`Time zone: ${clock.timeZone}`}</p>
        <p>
          <a href="/docs">API reference</a>
        </p>
      </footer>
    </>
  )
}

/** Shown if the period begins before the data does. */
function DataSince({ from, application }: { from: number | undefined; application: KeptApplication }) {
  const { keptFrom } = application
  if (from === undefined || keptFrom === null || isKnown(from, application)) return null
  return (
    <p class="hint">
      {`Data since ${toDay(toDate(dataSince(keptFrom)))}. Older events have been deleted, so earlier days are incomplete.`}
    </p>
  )
}
