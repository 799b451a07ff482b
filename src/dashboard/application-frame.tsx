import type { Child } from 'hono/jsx'
import { dataSince } from '../accounts/applications/kept.ts'
import type { SavedQuestion } from '../accounts/applications/saved-questions.ts'
import { toDate } from '../base/time/days.ts'
import { hrefTo } from './address.ts'
import type { ApplicationRequest } from './application-request.ts'
import { isKnown, type KeptApplication } from './comparison.ts'
import { FilterBar } from './components/filter-bar.tsx'
import { SavedMenu, SavedNote } from './components/saved-menu.tsx'
import { toDay, toMoment } from './format.ts'
import { SIGN_OUT } from './next-page.ts'
import { offeredValuesHref } from './property-values.ts'
import type { SavingNews } from './saved-address.ts'
import type { Visitor } from './visitor.ts'

interface FrameShown extends Pick<ApplicationRequest, 'visitor' | 'application' | 'home' | 'view'> {
  readonly title: string
  readonly content: Child
  readonly params: readonly string[]
  readonly asOf: string | null
  /** Null where the page asks nothing that could be saved. */
  readonly saved: readonly SavedQuestion[] | null
  readonly news: SavingNews | null
  readonly hasFilters: boolean
  readonly from?: number | undefined
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

/** The ways to the other pages about an application. */
export function Tabs({ home, view }: Pick<FrameShown, 'home' | 'view'>) {
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

/** A page's own content, below the filters and above what is said of its figures. */
export function Frame({ title, content, hasFilters, from, ...shown }: FrameShown) {
  const { visitor, application, home, view, params, asOf, saved, news } = shown
  return (
    <>
      <h1 class="unseen">{`${title} of ${application.name}`}</h1>
      {hasFilters && (
        <FilterBar view={view} params={params} valuesHref={offeredValuesHref(home)}>
          {saved && <SavedMenu saved={saved} view={view} home={home} canSave={visitor.canChange} />}
        </FilterBar>
      )}
      {saved && news && <SavedNote saved={saved} view={view} home={home} news={news} />}
      {hasFilters && <DataSince from={from ?? view.period?.from} application={application} />}
      {content}
      <footer>
        {asOf && <p title={`${toMoment(asOf)} UTC`}>{`Up to date ${asOf.slice(11, 16)} UTC`}</p>}
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

/** Since when there is data, where what is shown begins before that. */
function DataSince({ from, application }: { from: number | undefined; application: KeptApplication }) {
  const { keptFrom } = application
  if (from === undefined || keptFrom === null || isKnown(from, application)) return null
  return (
    <p class="hint">
      {`Data since ${toDay(toDate(dataSince(keptFrom)))}. Older events have been deleted, so earlier days are incomplete.`}
    </p>
  )
}
