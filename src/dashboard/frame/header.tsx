import { LiveLink } from '../faces/live/link.tsx'
import { SearchForm, SearchResults } from '../forms/search.tsx'
import { homeOf } from '../request/address.ts'
import { DASHBOARD, NEW_APPLICATION } from '../request/next-page.ts'
import type { Visitor } from '../request/visitor.ts'
import { Icon } from '../words/icon.tsx'
import { accountHref, accountPagesOf } from './account-pages.ts'
import { SignOut } from './sign-out.tsx'

export interface HeaderShown {
  readonly visitor: Visitor
  /** The application that the page is about. */
  readonly application?: { readonly name: string; readonly handle: string } | undefined
  /** How many of its users are active; null if the page does not count them. */
  readonly activeNow?: number | null | undefined
}

/** The application switcher, the search, who is active now and the account menu. */
export function Header({ visitor, application, activeNow = null }: HeaderShown) {
  return (
    <>
      <Switcher visitor={visitor} application={application} />
      {application && <Search href={`${DASHBOARD}/${application.handle}/search`} />}
      {application && <LiveLink home={homeOf(application)} users={activeNow} />}
      <AccountMenu visitor={visitor} />
    </>
  )
}

/** Without scripts its search leads to the list of applications. */
function Switcher({ visitor, application }: Pick<HeaderShown, 'visitor' | 'application'>) {
  return (
    <details class="menu switcher">
      <summary class="handle">
        <bdi class="which" title={application?.name}>
          {application?.name ?? 'Applications'}
        </bdi>
      </summary>
      <div class="panel choices">
        <SearchForm action={DASHBOARD} name="search" label="Find an application" />
        <SearchResults address={`${DASHBOARD}/app-list`} name="search" />
        <a class="choice" href={`${DASHBOARD}?search`}>
          All applications
        </a>
        {visitor.canChange && (
          <a class="choice" href={NEW_APPLICATION}>
            New app
          </a>
        )}
      </div>
    </details>
  )
}

/** A page of its own without scripts. */
function Search({ href }: { href: string }) {
  return (
    <>
      <a class="go" href={href} data-go>
        <Icon name="search" />
        <span class="go-label">Search</span>
        <kbd hidden>Ctrl K</kbd>
      </a>
      <dialog class="going" aria-label="Go to a page, event, user or saved report">
        <SearchForm action={href} name="q" label={GO_LABEL} />
        <SearchResults address={`${href}/results`} name="q" />
      </dialog>
    </>
  )
}

export const GO_LABEL = 'Go to a page, event, user or saved report'

function AccountMenu({ visitor }: Pick<HeaderShown, 'visitor'>) {
  const { accountName, canChange } = visitor
  const pages = accountPagesOf(visitor)
  return (
    <details class="menu account">
      <summary class="handle" title={accountName} aria-label={`Account ${accountName}`}>
        <Icon name="person" />
        <span class="whose">
          <bdi>{accountName}</bdi>
          {canChange ? '' : ' (view only)'}
        </span>
      </summary>
      <div class="panel choices">
        {pages.map(({ page, label }) => (
          <a class="choice" href={accountHref(page)}>
            {label}
          </a>
        ))}
        <a class="choice" href="/docs">
          API reference
        </a>
        <SignOut />
      </div>
    </details>
  )
}
