import { listSavedQuestions } from '../../../accounts/applications/saved-questions.ts'
import { findEvents } from '../../faces/events/find.ts'
import { findUsers } from '../../faces/users/find.ts'
import { type FoundLink, isLike, OF_EACH } from '../../forms/search.tsx'
import { accountHref, accountPagesOf } from '../../frame/account-pages.ts'
import { pagesFor } from '../../frame/navigation.ts'
import { hrefOfSaved, pageOfSaved } from '../../frame/saved-menu.tsx'
import { SETTINGS_PAGES, settingsPath } from '../../frame/settings-pages.ts'
import { hrefTo } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'

type Asking = Pick<ApplicationRequest, 'c' | 'visitor' | 'application' | 'home' | 'view' | 'context'>

/** Pages, saved reports, events and users that a text may mean. Without a text, the pages and the newest saved reports. */
export async function findAnywhere(asking: Asking, text: string): Promise<readonly FoundLink[]> {
  const found = await Promise.all([
    findUsers(asking, text),
    findPages(asking, text),
    findSaved(asking, text),
    findEvents(asking, text),
  ])
  const [users, ...others] = found
  return (/^@|^\d+$/.test(text) ? [users, ...others] : [...others, users]).flat()
}

async function findPages({ home, view, visitor, context }: Asking, text: string): Promise<FoundLink[]> {
  const pages = await pagesFor(context)
  const settings = SETTINGS_PAGES.filter(({ isFor }) => isFor === undefined || isFor(visitor))
  const account = accountPagesOf(visitor)
  const links = [
    ...pages.map(({ page, label }) => ({ href: hrefTo(view, hrefOfSaved(home, page)), label, kind: 'Page' })),
    ...settings.map(({ page, label }) => ({ href: settingsPath(home, page), label, kind: 'Settings' })),
    ...account.map(({ page, label }) => ({ href: accountHref(page), label, kind: 'Account' })),
  ]
  return links.filter((link) => isLike(link, text))
}

async function findSaved({ c, application, home }: Asking, text: string): Promise<FoundLink[]> {
  const { data } = await attempt(listSavedQuestions(c.get('db'), application.id))
  const links = (data ?? []).map(({ name, address }) => ({
    href: hrefOfSaved(home, address),
    label: name,
    kind: `Saved report · ${pageOfSaved(address)}`,
  }))
  return links.filter((link) => isLike(link, text)).slice(0, OF_EACH)
}
