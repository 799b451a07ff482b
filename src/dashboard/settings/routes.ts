import type { Handler, Hono } from 'hono'
import { isSameHandle } from '../../accounts/applications/applications.ts'
import type { AppEnv } from '../../http/context.ts'
import { deleteApplicationRoute } from '../../lifecycle/deletion/routes.ts'
import { requireConfirmation } from '../forms/confirmation.tsx'
import { type FormFields, readFields, tryForm } from '../forms/fields-of-form.ts'
import { ACCOUNT, ACCOUNT_PAGES, accountHref } from '../frame/account-pages.ts'
import { plainPage } from '../frame/application-page.tsx'
import { SETTINGS_PAGES } from '../frame/settings-pages.ts'
import { findApplication } from '../request/application-request.ts'
import { DASHBOARD } from '../request/next-page.ts'
import type { PageContent } from '../request/page-content.ts'
import { seesAccount } from '../request/visitor.ts'
import { accountContent, accountPage } from './account.tsx'
import { changeApplication } from './application.tsx'
import { changeCapture } from './capture.tsx'
import { connectionFragment } from './connection.tsx'
import { downloadExport } from './export.tsx'
import { changeKeeping } from './keeping.tsx'
import { endKey, makeKey } from './keys.tsx'
import { dropMember, putMember, setRole } from './members.tsx'
import { inSettings, pageOfForm, settingsContent } from './page.tsx'
import { changeRealUsers } from './real-users.tsx'
import { changeRevenue, isTried } from './revenue.tsx'
import { doneHref, type FormName, type FormRequest, partHref, type SettingsRequest } from './section.tsx'
import { changeSources, trySources } from './sources.tsx'
import { changeZone } from './time-zone.tsx'

const SETTINGS = '/dashboard/:handle/settings'
const MEMBER = `${ACCOUNT}/members/:telegram_id{[0-9]{1,16}}`

export function mountSettings(pages: Hono<AppEnv>): void {
  pages.get('/dashboard/:handle/connection', connectionFragment)
  pages.get('/dashboard/:handle/export', downloadExport)
  for (const { page } of SETTINGS_PAGES) {
    pages.get(
      page === '' ? SETTINGS : `${SETTINGS}/${page}`,
      plainPage((request) => settingsContent(inSettings(request), page)),
    )
  }
  mountForms(pages)
  // What the account has was part of each application's settings. A form that is still open is sent again to where it belongs.
  pages.post(`${SETTINGS}/members/*`, leadToAccount)
  pages.post(`${SETTINGS}/members`, leadToAccount)
  // Reached by reloading after a form was sent.
  pages.get(`${SETTINGS}/*`, leadToPart)
}

function mountForms(pages: Hono<AppEnv>): void {
  pages.post(`${SETTINGS}/application`, change('application', changeApplication))
  pages.post(`${SETTINGS}/capture`, change('capture', changeCapture))
  pages.post(`${SETTINGS}/sources`, change('sources', changeSources))
  pages.post(
    `${SETTINGS}/sources/preview`,
    submit('sources', async (request, typed) => {
      return pageOfForm(request, 'sources', { triedSources: await trySources(request, typed) })
    }),
  )
  pages.post(`${SETTINGS}/real-users`, submit('real-users', changeRealUsers))
  pages.post(`${SETTINGS}/revenue`, submit('revenue', setRevenue))
  pages.post(`${SETTINGS}/keeping`, change('keeping', changeKeeping))
  pages.post(`${SETTINGS}/time-zone`, change('time-zone', changeZone))
  pages.post(`${SETTINGS}/keys`, submit('keys', makeKey))
  pages.post(`${SETTINGS}/keys/:id/revoke`, change('keys', endKey))
  pages.post(`${SETTINGS}/deletion`, submit('deletion', deleteApplication))
}

/** Before the pages of applications: no handle has a hyphen, but routes do not know that. */
export function mountAccount(pages: Hono<AppEnv>): void {
  pages.get(ACCOUNT, (c) => c.redirect(accountHref(seesAccount(c.get('visitor')) ? 'members' : 'session')))
  for (const { page } of ACCOUNT_PAGES) {
    pages.get(
      `${ACCOUNT}/${page}`,
      accountPage((request) => accountContent({ request, refused: null }, page)),
    )
  }
  pages.post(`${ACCOUNT}/keys`, submitToAccount('keys', makeKey))
  pages.post(`${ACCOUNT}/keys/:id/revoke`, changeAccount('keys', endKey))
  pages.post(`${ACCOUNT}/members`, changeAccount('members', putMember))
  pages.post(`${MEMBER}/role`, changeAccount('members', setRole))
  pages.post(`${MEMBER}/remove`, changeAccount('members', dropMember))
  for (const page of ['keys', 'members']) pages.get(`${ACCOUNT}/${page}/*`, (c) => c.redirect(accountHref(page), 303))
}

type Make<R, T> = (request: R, typed: FormFields) => Promise<T>

/** A form of the settings: what it leads to, or its page again with what is wrong. */
function submit(form: FormName, make: Make<SettingsRequest, PageContent | Response>) {
  return plainPage(async (asked) => {
    const request = inSettings(asked)
    const typed = await readFields(request.c)
    const { data, problem } = await tryForm(make(request, typed))
    return problem ? pageOfForm(request, form, { refused: { form, typed, problem } }) : data
  })
}

/** A form that leads back to its part. */
function change(form: FormName, make: Make<SettingsRequest, unknown>) {
  return submit(form, leadingBack(form, make))
}

function submitToAccount(form: FormName, make: Make<FormRequest, PageContent | Response>) {
  return accountPage(async (request) => {
    const typed = await readFields(request.c)
    const { data, problem } = await tryForm(make(request, typed))
    return problem ? accountContent({ request, refused: { form, typed, problem } }, form) : data
  })
}

function changeAccount(form: FormName, make: Make<FormRequest, unknown>) {
  return submitToAccount(form, leadingBack(form, make))
}

function leadingBack<R extends FormRequest>(form: FormName, make: Make<R, unknown>): Make<R, Response> {
  return async (request, typed) => {
    await make(request, typed)
    return request.c.redirect(doneHref(request, form), 303)
  }
}

/** Rules that are only tried are not saved. */
async function setRevenue(request: SettingsRequest, typed: FormFields) {
  if (isTried(typed)) return pageOfForm(request, 'revenue', { tried: typed })
  await changeRevenue(request, typed)
  return request.c.redirect(doneHref(request, 'revenue'), 303)
}

async function deleteApplication({ c, application, context }: SettingsRequest, typed: FormFields) {
  const query = { confirm: typed.trimmed('confirm') }
  requireConfirmation(isSameHandle(query.confirm, application.handle), 'handle')
  await deleteApplicationRoute.ask({ path: { handle: application.handle }, query }, context)
  return c.redirect(DASHBOARD, 303)
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
