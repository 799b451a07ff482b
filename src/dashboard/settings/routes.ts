import type { Handler, Hono } from 'hono'
import type { AppEnv } from '../../http/context.ts'
import { isInvalid } from '../forms/fields-of-form.ts'
import { type Again, answerForm } from '../forms/sent-form.ts'
import { ACCOUNT, ACCOUNT_PAGES, accountHref } from '../frame/account-pages.ts'
import { plainPage } from '../frame/application-page.tsx'
import { SETTINGS_PAGES } from '../frame/settings-pages.ts'
import { type ApplicationRequest, findApplication } from '../request/application-request.ts'
import { DASHBOARD } from '../request/next-page.ts'
import type { PageContent } from '../request/page-content.ts'
import { seesAccount } from '../request/visitor.ts'
import { ACCOUNT_PARTS, accountContent, accountPage } from './account.tsx'
import { connectionFragment } from './connection.tsx'
import { downloadExport } from './export.tsx'
import { SETTINGS_PARTS, settingsContent } from './page.tsx'
import { type FormRequest, type Part, partHref, type SettingsRequest } from './section.tsx'

const SETTINGS = '/dashboard/:handle/settings'

export function mountSettings(pages: Hono<AppEnv>): void {
  pages.get('/dashboard/:handle/connection', connectionFragment)
  pages.get('/dashboard/:handle/export', downloadExport)
  for (const shown of SETTINGS_PAGES) {
    const parts = SETTINGS_PARTS.filter(({ id }) => shown.parts.includes(id))
    mountParts<SettingsRequest>(pages, shown.page === '' ? SETTINGS : `${SETTINGS}/${shown.page}`, {
      base: SETTINGS,
      parts,
      framed: (make) => plainPage((request) => make(inSettings(request))),
      show: (request, again) => settingsContent(request, shown, parts, again),
    })
  }
  // What the account has was part of each application's settings. A form that is still open is sent again to where it belongs.
  pages.post(`${SETTINGS}/members/*`, leadToAccount)
  pages.post(`${SETTINGS}/members`, leadToAccount)
  // Reached by reloading after a form was sent.
  pages.get(`${SETTINGS}/*`, leadToPart)
}

/** Before the pages of applications: no handle has a hyphen, but routes do not know that. */
export function mountAccount(pages: Hono<AppEnv>): void {
  pages.get(ACCOUNT, (c) => c.redirect(accountHref(seesAccount(c.get('visitor')) ? 'members' : 'session')))
  for (const shown of ACCOUNT_PAGES) {
    const path = `${ACCOUNT}/${shown.page}`
    const parts = ACCOUNT_PARTS.filter(({ id }) => id === shown.page)
    mountParts<FormRequest>(pages, path, {
      base: ACCOUNT,
      parts,
      framed: accountPage,
      show: (request, again) => accountContent(request, shown, parts, again),
    })
    pages.get(`${path}/*`, (c) => c.redirect(accountHref(shown.page), 303))
  }
}

interface Mounted<R extends FormRequest> {
  /** What the addresses of forms are below. */
  readonly base: string
  readonly parts: readonly Part<R>[]
  readonly framed: (make: (request: R) => Promise<PageContent | Response>) => Handler<AppEnv>
  readonly show: (request: R, again: Again | null) => Promise<PageContent>
}

/** A page of these parts. Their forms lead back to their part, which says so; a conflict or a failure has a page of its own. */
function mountParts<R extends FormRequest>(
  pages: Hono<AppEnv>,
  path: string,
  { base, parts, framed, show }: Mounted<R>,
): void {
  pages.get(
    path,
    framed((request) => show(request, null)),
  )
  for (const { id: form, forms = {} } of parts) {
    const backTo = (request: R) => partHref(request, form, { done: form })
    for (const [address, send] of Object.entries(forms)) {
      pages.post(base + address, framed(answerForm({ form, send, show, backTo, isShown: isInvalid })))
    }
  }
}

function inSettings(request: ApplicationRequest): SettingsRequest {
  return { ...request, base: `${request.home}/settings` }
}

const leadToAccount: Handler<AppEnv> = async (c) => {
  const { handle } = await findApplication(c)
  return c.redirect(ACCOUNT + new URL(c.req.url).pathname.slice(`${DASHBOARD}/${handle}/settings`.length), 307)
}

const leadToPart = plainPage(async (asked) => {
  const request = inSettings(asked)
  const part = request.view.path.slice(request.base.length + 1).split('/')[0] ?? ''
  if (ACCOUNT_PAGES.some(({ page }) => page === part)) return request.c.redirect(accountHref(part), 303)
  const isKnown = SETTINGS_PAGES.some(({ parts }) => parts.includes(part))
  return request.c.redirect(partHref(request, isKnown ? part : 'connect'), 303)
})
