import { listSavedQuestions } from '../../../accounts/applications/saved-questions.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { findUsersRoute } from '../../../questions/user-cohorts/routes.ts'
import { MAX_SEARCHED } from '../../../questions/users/contract.ts'
import { atName, nameOf } from '../../faces/users/people.ts'
import type { FoundLink } from '../../forms/search.tsx'
import { accountHref, accountPagesOf } from '../../frame/account-pages.ts'
import { pagesFor } from '../../frame/navigation.ts'
import { hrefOfSaved, pageOfSaved } from '../../frame/saved-menu.tsx'
import { SETTINGS_PAGES, settingsPath } from '../../frame/settings-pages.ts'
import { hrefTo } from '../../request/address.ts'
import { type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'

/** The most results of each kind. */
const OF_EACH = 8

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

function isLike({ label }: Pick<FoundLink, 'label'>, text: string): boolean {
  return label.toLowerCase().includes(text.toLowerCase())
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

const ALL_NAMES = '1000'

/** Names of the last 30 days. */
async function findEvents({ context, home, view }: Asking, text: string): Promise<FoundLink[]> {
  if (text === '') return []
  const { data } = await attempt(listEventNamesRoute.ask({ query: { limit: ALL_NAMES } }, besideFigures(context)))
  const links = (data?.data ?? []).map(({ name }) => ({
    href: hrefTo(view, `${home}/events`, { event: name }),
    label: name,
    kind: 'Event',
  }))
  return links.filter((link) => isLike(link, text)).slice(0, OF_EACH)
}

/** Finds users by the whole id, or by a part of a name or username: of three characters at least, because every name is read. */
async function findUsers({ context, home, view }: Asking, text: string): Promise<FoundLink[]> {
  const characters = [...text].length
  if (characters > MAX_SEARCHED || (characters < 3 && !/^\d+$/.test(text))) return []
  const query = { search: text, sort_by: 'last_active_at', limit: String(OF_EACH) }
  const { data } = await attempt(findUsersRoute.ask({ query }, besideFigures(context)))
  const users = data?.data ?? []
  return users.map((user) => {
    const { telegram_id: id, username } = user
    const name = nameOf(user)
    const called = username ? atName(username) : String(id)
    return { href: hrefTo(view, `${home}/users/${id}`), label: name, kind: `User ${called === name ? id : called}` }
  })
}
