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
import { Failure, Invalid } from '../../base/errors.ts'
import { toIso } from '../../base/time/days.ts'
import { integer, text } from '../../http/params.ts'
import { BoundField } from '../forms/bound-field.tsx'
import { Confirmation } from '../forms/confirmation.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import { toDay } from '../words/format.ts'
import { type FormRequest, type FormState, Section, SettingsForm, settingsHref, shownIn } from './section.tsx'

const MemberFields = z.object({
  telegram_id: integer({ min: 1 }),
  name: text({ min: 0, max: MAX_MEMBER_NAME_CHARACTERS }).default(''),
  role: z.enum(ROLES),
})
const memberForm = formOf(MemberFields)
const roleForm = formOf(MemberFields.pick({ role: true }))

export async function putMember(request: FormRequest, typed: FormFields) {
  const { c, visitor } = request
  const { accountId } = visitor
  const { telegram_id: telegramId, name, role } = memberForm.parse(typed)
  const db = c.get('db')
  const known = (await listMembers(db, accountId)).find((other) => other.telegramId === telegramId)
  if (known && known.role !== role) throw new Invalid([memberAlready(known.role)])
  await addMember(db, { accountId, telegramId, name, role }, c.get('now'))
  await note(request, 'addMember', telegramId)
}

/** The refusal to add somebody who is a member: changing rights has a button of its own. */
function memberAlready(role: Role) {
  const msg = `Already a member, as ${role}. To change the role, use the button next to the name`
  return { loc: ['body', 'telegram_id'], msg, type: 'value_error' }
}

export async function setRole(request: FormRequest, typed: FormFields) {
  const { role } = roleForm.parse(typed)
  const member = memberOf(request)
  requireMember(await changeRole(request.c.get('db'), member, role))
  await note(request, 'changeRole', member.telegramId)
}

export async function dropMember(request: FormRequest) {
  const member = memberOf(request)
  requireMember(await removeMember(request.c.get('db'), member))
  await note(request, 'removeMember', member.telegramId)
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

export function MembersSection({ members, ...settings }: FormState & { members: readonly Member[] }) {
  const { request } = settings
  const { c, visitor } = request
  return (
    <Section id="members" title="Members" settings={settings}>
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
      {visitor.canChange && <MemberForm {...settings} />}
    </Section>
  )
}

type MemberShown = Pick<FormState, 'request'> & { readonly member: Member }

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

function MemberForm(settings: FormState) {
  const of = { ...shownIn(settings, 'members', memberForm, { role: 'viewer' }), id: 'member' }
  return (
    <SettingsForm settings={settings} path="/members" button="Add">
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
