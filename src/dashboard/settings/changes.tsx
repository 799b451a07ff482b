import { z } from 'zod'
import { isSameHandle, listOwnApplications } from '../../accounts/applications/applications.ts'
import { updateApplicationRoute } from '../../accounts/applications/routes.ts'
import { updateCaptureSettingsRoute } from '../../accounts/client-config/routes.ts'
import {
  addMember,
  changeRole,
  listMembers,
  MAX_MEMBER_NAME_CHARACTERS,
  ROLES,
  type Role,
  removeMember,
} from '../../accounts/members.ts'
import { issueKeyRoute, revokeKeyRoute } from '../../accounts/routes.ts'
import { Failure, Invalid } from '../../base/errors.ts'
import { toFaults } from '../../base/faults.ts'
import { text } from '../../http/params.ts'
import { deleteApplicationRoute } from '../../lifecycle/deletion/routes.ts'
import { plainPage } from '../application-page.tsx'
import type { ApplicationRequest } from '../application-request.ts'
import { detailsTyped } from '../components/details-fields.tsx'
import { type FormFields, readFields, tryForm } from '../forms.ts'
import { DASHBOARD } from '../next-page.ts'
import { captureTyped } from './capture-fields.ts'
import { readConnectionOfKey } from './connection.tsx'
import { firstDayLeft, monthsTyped } from './keeping.tsx'
import { NewKey } from './new-key.tsx'
import { settingsContent } from './page.tsx'
import { realUsersTyped } from './real-users.tsx'
import { doneHref, type FormName } from './section.tsx'

/** A form of the settings: it leads back to its section, or is shown again with what is wrong. */
function change(form: FormName, make: (request: ApplicationRequest, typed: FormFields) => Promise<unknown>) {
  return plainPage(async (request) => {
    const typed = await readFields(request.c)
    const { problem } = await tryForm(make(request, typed))
    if (problem) return settingsContent(request, { form, typed, problem })
    return request.c.redirect(doneHref(request, form), 303)
  })
}

export const changeApplication = change('application', ({ application, context }, typed) =>
  updateApplicationRoute.ask({ path: { handle: application.handle }, body: detailsTyped(typed) }, context),
)

export const changeCapture = change('capture', ({ application, context }, typed) =>
  updateCaptureSettingsRoute.ask({ path: { handle: application.handle }, body: captureTyped(typed) }, context),
)

export const changeRealUsers = change('real-users', async ({ application, context }, typed) => {
  const body = realUsersTyped(typed)
  if (body.verified_only && body.bot_id === null) throw new Invalid([NEEDS_BOT])
  return updateApplicationRoute.ask({ path: { handle: application.handle }, body }, context)
})

const NEEDS_BOT = {
  loc: ['body', 'bot_id'],
  msg: 'Verification needs your bot id: fill it in, or accept unverified events',
  type: 'value_error',
}

/** What deletes events has to be confirmed. */
export const changeKeeping = change('keeping', async ({ c, application, context }, typed) => {
  const months = monthsTyped(typed)
  const isDeleting = firstDayLeft(months, application, c.get('now')) !== null
  if (isDeleting && !isSameHandle(typed.trimmed('confirm'), application.handle)) throw new Invalid([NOT_CONFIRMED])
  const path = { handle: application.handle }
  return updateApplicationRoute.ask({ path, body: { keep_months: months } }, context)
})

const NOT_CONFIRMED = {
  loc: ['body', 'confirm'],
  msg: 'Type the handle to confirm. Nothing was changed or deleted',
  type: 'value_error',
}

/** Leads to the account's other applications. */
export const deleteOnPage = plainPage(async (request) => {
  const { c, application, context } = request
  const typed = await readFields(c)
  const asked = { path: { handle: application.handle }, query: { confirm: typed.trimmed('confirm') } }
  const { problem } = await tryForm(deleteApplicationRoute.ask(asked, context))
  if (problem) return settingsContent(request, { form: 'deletion', typed, problem })
  return c.redirect(DASHBOARD, 303)
})

/** Answers with the key itself, which can be told this once: no other address has it. */
export const makeKey = plainPage(async (request) => {
  const { c, context, application, visitor } = request
  const typed = await readFields(c)
  const handle = typed.trimmed('handle')
  const body = { name: typed.trimmed('name'), scope: typed.text('scope'), ...(handle && { handle }) }
  const { data: answer, problem } = await tryForm(issueKeyRoute.ask({ body }, context))
  if (problem) return settingsContent(request, { form: 'keys', typed, problem })
  const issued = answer.data
  const applications = await listOwnApplications(c.get('db'), visitor)
  const named = applications.find((own) => own.handle === issued.handle) ?? application
  const connection = await readConnectionOfKey({ c, application: named, keyId: issued.id })
  const content = <NewKey request={request} issued={issued} named={named} connection={connection} />
  return { title: 'API key created', content }
})

export const endKey = change('keys', ({ c, context }) =>
  revokeKeyRoute.ask({ path: { id: c.req.param('id') ?? '' } }, context),
)

const TELEGRAM_ID = /^[1-9]\d{0,15}$/

const MemberForm = z.object({
  telegram_id: z
    .string()
    .refine((id) => TELEGRAM_ID.test(id) && Number.isSafeInteger(Number(id)), 'Enter a number, such as 7234567890.')
    .transform(Number),
  name: text({ min: 0, max: MAX_MEMBER_NAME_CHARACTERS }),
  role: z.enum(ROLES),
})

export const putMember = change('members', async ({ c, visitor: { accountId } }, typed) => {
  const {
    telegram_id: telegramId,
    name,
    role,
  } = parse(MemberForm, {
    telegram_id: typed.trimmed('telegram_id'),
    name: typed.trimmed('name'),
    role: typed.text('role'),
  })
  const db = c.get('db')
  const known = (await listMembers(db, accountId)).find((member) => member.telegramId === telegramId)
  if (known && known.role !== role) throw new Invalid([memberAlready(known.role)])
  await addMember(db, { accountId, telegramId, name, role }, c.get('now'))
})

/** Nobody who adds somebody means to take rights from them, or to give them more: that has a button of its own. */
function memberAlready(role: Role) {
  const msg = `Already a member, as ${role}. To change the role, use the button next to the name`
  return { loc: ['body', 'telegram_id'], msg, type: 'value_error' }
}

export const setRole = change('members', async (request, typed) => {
  const { role } = parse(MemberForm.pick({ role: true }), { role: typed.text('role') })
  requireMember(await changeRole(request.c.get('db'), memberOf(request), role))
})

export const dropMember = change('members', async (request) =>
  requireMember(await removeMember(request.c.get('db'), memberOf(request))),
)

function memberOf({ c, visitor: { accountId } }: ApplicationRequest) {
  return { accountId, telegramId: Number(c.req.param('telegram_id')) }
}

function requireMember(isMember: boolean): void {
  if (!isMember)
    throw new Failure('not-found', 'This account has no such member. Reload the page to see the current members.')
}

/** Throws `Invalid`. */
function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value, { reportInput: true })
  if (read.success) return read.data
  throw new Invalid(toFaults(read.error.issues, ['body']))
}
