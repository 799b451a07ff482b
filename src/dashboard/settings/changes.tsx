import { z } from 'zod'
import { addMember, changeRole, MAX_MEMBER_NAME_CHARACTERS, ROLES, removeMember } from '../../accounts/members.ts'
import { issueKeyRoute, revokeKeyRoute } from '../../accounts/routes.ts'
import { listOwnApplications } from '../../applications/applications.ts'
import { updateApplicationRoute } from '../../applications/routes.ts'
import { updateCaptureSettingsRoute } from '../../client-config/routes.ts'
import { Failure, Invalid } from '../../errors.ts'
import { toFaults } from '../../faults.ts'
import { text } from '../../http/params.ts'
import { type ApplicationRequest, plainPage } from '../application-page.tsx'
import { detailsTyped } from '../components/details-fields.tsx'
import { type Fields, readFields, tryForm } from '../forms.ts'
import { captureTyped } from './capture-fields.ts'
import { readConnection } from './connection.tsx'
import { NewKey } from './new-key.tsx'
import { settingsContent } from './page.tsx'
import { doneHref, type FormName } from './section.tsx'

/** A form of the settings: it leads back to its section, or is shown again with what is wrong. */
function change(form: FormName, make: (request: ApplicationRequest, typed: Fields) => Promise<unknown>) {
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
  const connection = await readConnection(request)
  const content = <NewKey request={request} issued={issued} named={named} connection={connection} />
  return { title: 'A new key', content }
})

export const endKey = change('keys', ({ c, context }) =>
  revokeKeyRoute.ask({ path: { id: c.req.param('id') ?? '' } }, context),
)

const TELEGRAM_ID = /^[1-9]\d{0,15}$/

const MemberForm = z.object({
  telegram_id: z
    .string()
    .refine((id) => TELEGRAM_ID.test(id) && Number.isSafeInteger(Number(id)), 'It is a number, such as 7234567890.')
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
  await addMember(c.get('db'), { accountId, telegramId, name, role }, c.get('now'))
})

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
  if (!isMember) throw new Failure('not-found', 'This account has no such member.')
}

/** Throws `Invalid`. */
function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value, { reportInput: true })
  if (read.success) return read.data
  throw new Invalid(toFaults(read.error.issues, ['body']))
}
