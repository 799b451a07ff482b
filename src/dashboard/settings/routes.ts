import type { Hono } from 'hono'
import { isSameHandle } from '../../accounts/applications/applications.ts'
import type { AppEnv } from '../../http/context.ts'
import { deleteApplicationRoute } from '../../lifecycle/deletion/routes.ts'
import { type PageContent, plainPage } from '../application-page.tsx'
import type { ApplicationRequest } from '../application-request.ts'
import { requireConfirmation } from '../components/confirmation.tsx'
import { type FormFields, readFields, tryForm } from '../forms.ts'
import { DASHBOARD } from '../next-page.ts'
import { changeApplication } from './application.tsx'
import { changeCapture } from './capture.tsx'
import { connectionFragment } from './connection.tsx'
import { downloadExport } from './export.tsx'
import { changeKeeping } from './keeping.tsx'
import { endKey, makeKey } from './keys.tsx'
import { dropMember, putMember, setRole } from './members.tsx'
import { settingsContent } from './page.tsx'
import { changeRealUsers } from './real-users.tsx'
import { changeRevenue, isTried } from './revenue.tsx'
import { doneHref, type FormName, settingsHref } from './section.tsx'
import { changeSources, trySources } from './sources.tsx'
import { changeZone } from './time-zone.tsx'

const SETTINGS = '/dashboard/:handle/settings'
const KEY = `${SETTINGS}/keys/:id`
const MEMBER = `${SETTINGS}/members/:telegram_id{[0-9]{1,16}}`

export function mountSettings(pages: Hono<AppEnv>): void {
  pages.get(
    SETTINGS,
    plainPage((request) => settingsContent(request)),
  )
  pages.get('/dashboard/:handle/connection', connectionFragment)
  pages.get('/dashboard/:handle/export', downloadExport)
  pages.post(`${SETTINGS}/application`, change('application', changeApplication))
  pages.post(`${SETTINGS}/capture`, change('capture', changeCapture))
  pages.post(`${SETTINGS}/sources`, change('sources', changeSources))
  pages.post(
    `${SETTINGS}/sources/preview`,
    submit('sources', async (request, typed) => settingsContent(request, null, null, await trySources(request, typed))),
  )
  pages.post(`${SETTINGS}/real-users`, change('real-users', changeRealUsers))
  pages.post(`${SETTINGS}/revenue`, submit('revenue', setRevenue))
  pages.post(`${SETTINGS}/keeping`, change('keeping', changeKeeping))
  pages.post(`${SETTINGS}/time-zone`, change('time-zone', changeZone))
  pages.post(`${SETTINGS}/keys`, submit('keys', makeKey))
  pages.post(`${KEY}/revoke`, change('keys', endKey))
  pages.post(`${SETTINGS}/members`, change('members', putMember))
  pages.post(`${MEMBER}/role`, change('members', setRole))
  pages.post(`${MEMBER}/remove`, change('members', dropMember))
  pages.post(`${SETTINGS}/deletion`, submit('deletion', deleteApplication))
  // Reached by reloading after a form was sent.
  pages.get(`${SETTINGS}/*`, backToSettings)
}

type Make<T> = (request: ApplicationRequest, typed: FormFields) => Promise<T>

/** A form of the settings: what it leads to, or the settings again with what is wrong. */
function submit(form: FormName, make: Make<PageContent | Response>) {
  return plainPage(async (request) => {
    const typed = await readFields(request.c)
    const { data, problem } = await tryForm(make(request, typed))
    return problem ? settingsContent(request, { form, typed, problem }) : data
  })
}

/** A form that leads back to its section. */
function change(form: FormName, make: Make<unknown>) {
  return submit(form, async (request, typed) => {
    await make(request, typed)
    return request.c.redirect(doneHref(request, form), 303)
  })
}

/** Rules that are only tried are not saved. */
async function setRevenue(request: ApplicationRequest, typed: FormFields) {
  if (isTried(typed)) return settingsContent(request, null, typed)
  await changeRevenue(request, typed)
  return request.c.redirect(doneHref(request, 'revenue'), 303)
}

async function deleteApplication({ c, application, context }: ApplicationRequest, typed: FormFields) {
  const query = { confirm: typed.trimmed('confirm') }
  requireConfirmation(isSameHandle(query.confirm, application.handle), 'handle')
  await deleteApplicationRoute.ask({ path: { handle: application.handle }, query }, context)
  return c.redirect(DASHBOARD, 303)
}

const backToSettings = plainPage(async (request) => request.c.redirect(settingsHref(request), 303))
