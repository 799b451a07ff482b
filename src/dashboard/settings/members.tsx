import { z } from 'zod'
import { actorOf, noteAct } from '../../access/audit.ts'
import {
  addMember,
  changeRole,
  listMembers,
  MAX_MEMBER_NAME_CHARACTERS,
  type Member,
  ROLES,
  type Role,
  removeMember,
} from '../../accounts/members.ts'
import { Failure } from '../../base/errors.ts'
import { toIso } from '../../base/time/days.ts'
import { integer, text } from '../../http/params.ts'
import { BoundField } from '../forms/bound-field.tsx'
import { Confirmation } from '../forms/confirmation.tsx'
import { refusalOf } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import { toDay } from '../words/format.ts'
import { type FormRequest, type Part, type PartState, SettingsForm, settingsHref, shownIn } from './section.tsx'

const MemberFields = z.object({
  telegram_id: integer({ min: 1 }),
  name: text({ min: 0, max: MAX_MEMBER_NAME_CHARACTERS }).default(''),
  role: z.enum(ROLES),
})
const memberForm = formOf(MemberFields)
const roleForm = formOf(MemberFields.pick({ role: true }))

const ONE = '/members/:telegram_id{[0-9]{1,16}}'

export const membersPart: Part<FormRequest> = {
  id: 'members',
  title: 'Members',
  content: async (settings) => {
    const { request } = settings
    const { c, visitor } = request
    const members = await listMembers(c.get('db'), visitor.accountId)
    return (
      <>
        <p>
          {c.env.BOT_TOKEN
            ? "Members sign in by opening the mini-app of this service's bot in Telegram."
            : 'Members sign in inside Telegram, which needs a bot: ask the operator of this service to set the secret BOT_TOKEN. Until then, sign in with a link or an API key.'}
        </p>
        {members.length === 0 && <p class="nothing">No members yet. Add the first one below.</p>}
        <ul class="entries">
          {members.map((member) => (
            <li>
              <MemberEntry request={request} member={member} />
            </li>
          ))}
        </ul>
        <MemberForm {...settings} />
      </>
    )
  },
  forms: {
    '/members': async (request, typed) => {
      const { c, visitor } = request
      const { accountId } = visitor
      const { telegram_id: telegramId, name, role } = memberForm.parse(typed)
      const db = c.get('db')
      const known = (await listMembers(db, accountId)).find((other) => other.telegramId === telegramId)
      // Nobody who adds somebody means to take rights from them, or to give them more.
      if (known && known.role !== role) throw refusalOf('telegram_id', alreadyAs(known.role))
      await addMember(db, { accountId, telegramId, name, role }, c.get('now'))
      await note(request, 'addMember', telegramId)
    },
    [`${ONE}/role`]: async (request, typed) => {
      const { role } = roleForm.parse(typed)
      const member = memberOf(request)
      requireMember(await changeRole(request.c.get('db'), member, role))
      await note(request, 'changeRole', member.telegramId)
    },
    [`${ONE}/remove`]: async (request) => {
      const member = memberOf(request)
      requireMember(await removeMember(request.c.get('db'), member))
      await note(request, 'removeMember', member.telegramId)
    },
  },
}

function alreadyAs(role: Role): string {
  return `Already a member, as ${role}. To change the role, use the button next to the name`
}

function note({ c, visitor }: FormRequest, action: string, telegramId: number): Promise<void> {
  const act = { accountId: visitor.accountId, actor: actorOf(visitor), action, target: String(telegramId) }
  return noteAct(c.get('db'), act, c.get('now'))
}

function memberOf({ c, visitor: { accountId } }: FormRequest) {
  return { accountId, telegramId: Number(c.req.param('telegram_id')) }
}

function requireMember(isMember: boolean): void {
  if (!isMember)
    throw new Failure('not-found', 'This account has no such member. Reload the page to see the current members.')
}

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner: can change everything',
  viewer: 'Viewer: view only',
}

type MemberShown = Pick<PartState, 'request'> & { readonly member: Member }

function MemberEntry({ request, member }: MemberShown) {
  const { telegramId, name, role, createdAt } = member
  const { visitor } = request
  const isOwn = telegramId === visitor.telegramId
  return (
    <>
      <div class="names">
        <strong>
          <bdi>{name || 'Unnamed'}</bdi>
          {isOwn && <span class="mark-own">this is you</span>}
        </strong>
        <span>{`${role}, id ${telegramId}`}</span>
        <span class="hint">{`added on ${toDay(toIso(createdAt).slice(0, 10))}`}</span>
      </div>
      {visitor.canChange && (
        <div class="actions">
          <RoleForm request={request} member={member} />
          <Confirmation action="Remove" sure={`Remove ${telegramId}`} href={memberHref(request, member, 'remove')}>
            {isOwn ? 'This signs you out. Only another owner can add you again.' : 'This signs them out immediately.'}
          </Confirmation>
        </div>
      )}
    </>
  )
}

function RoleForm({ request, member }: MemberShown) {
  const other = member.role === 'owner' ? 'viewer' : 'owner'
  return (
    <form method="post" action={memberHref(request, member, 'role')}>
      <button type="submit" class="quiet" name="role" value={other}>
        {`Make ${other}`}
      </button>
    </form>
  )
}

function memberHref(request: FormRequest, { telegramId }: Member, action: 'role' | 'remove'): string {
  return settingsHref(request, `/members/${telegramId}/${action}`)
}

function MemberForm(settings: PartState) {
  const of = { ...shownIn(settings, memberForm, { role: 'viewer' }), id: 'member' }
  return (
    <SettingsForm settings={settings} button="Add">
      <h3>Add a member</h3>
      <BoundField
        of={of}
        at="telegram_id"
        label="Telegram id"
        hint="A number, such as 7234567890. People who are not members see theirs when they try to sign in."
        required
      />
      <BoundField of={of} at="name" label="Name (optional)" />
      <BoundField of={of} at="role" label="Role" options={ROLES.map((role) => [role, ROLE_LABELS[role]])} />
    </SettingsForm>
  )
}
