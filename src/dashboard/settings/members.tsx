import { type Member, ROLES, type Role } from '../../accounts/members.ts'
import { toIso } from '../../base/time/days.ts'
import { Field, faultsOf, InputField } from '../components/field.tsx'
import { toDay } from '../format.ts'
import { Confirmed, Section, type SettingsRequest, settingsHref } from './section.tsx'

interface MembersShown {
  readonly settings: SettingsRequest
  readonly members: readonly Member[]
}

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner: can change everything',
  viewer: 'Viewer: view only',
}

/** People who sign in inside the messenger. */
export function MembersSection({ settings, members }: MembersShown) {
  const { c, visitor } = settings.request
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
            <MemberEntry settings={settings} member={member} />
          </li>
        ))}
      </ul>
      {visitor.canChange && <MemberForm settings={settings} />}
    </Section>
  )
}

function MemberEntry({ settings: { request }, member }: { settings: SettingsRequest; member: Member }) {
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
          <Confirmed action="Remove" sure={`Remove ${telegramId}`} href={memberHref(request, member, 'remove')}>
            {isOwn ? 'This signs you out. Only another owner can add you again.' : 'This signs them out immediately.'}
          </Confirmed>
        </div>
      )}
    </>
  )
}

type MemberShown = Pick<SettingsRequest, 'request'> & { readonly member: Member }

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

function memberHref(request: SettingsRequest['request'], { telegramId }: Member, action: 'role' | 'remove'): string {
  return settingsHref(request, `/members/${telegramId}/${action}`)
}

function MemberForm({ settings: { request, refused } }: { settings: SettingsRequest }) {
  const { typed, problem } = refused?.form === 'members' ? refused : { typed: null, problem: null }
  const role = typed?.text('role') ?? 'viewer'
  return (
    <form method="post" action={settingsHref(request, '/members')} class="fields">
      <h3>Add a member</h3>
      <InputField
        label="Telegram id"
        name="telegram_id"
        hint="A number, such as 7234567890. People who are not members see theirs when they try to sign in."
        value={typed?.text('telegram_id') ?? ''}
        problem={problem}
        required
        inputmode="numeric"
      />
      <InputField
        label="Name (optional)"
        name="name"
        id="member-name"
        value={typed?.text('name') ?? ''}
        problem={problem}
      />
      <Field label="Role" id="role" faults={faultsOf(problem, 'role')}>
        {(attributes) => (
          <select name="role" {...attributes}>
            {ROLES.map((offered) => (
              <option value={offered} selected={offered === role}>
                {ROLE_LABELS[offered]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div>
        <button type="submit">Add</button>
      </div>
    </form>
  )
}
