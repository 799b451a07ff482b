import type { Member } from '../../accounts/members.ts'
import { SIGN_OUT } from '../next-page.ts'
import type { Visitor } from '../visitor.ts'
import type { ListedKey } from './keys.tsx'
import { Section, type SettingsRequest } from './section.tsx'

interface SessionShown {
  readonly settings: SettingsRequest
  readonly keys: readonly ListedKey[]
  readonly members: readonly Member[]
}

/** As what somebody is signed in, and the way out. */
export function SessionSection({ settings, ...known }: SessionShown) {
  const { visitor } = settings.request
  return (
    <Section id="session" title="Session" settings={settings}>
      <p>
        Signed in to <bdi>{visitor.accountName}</bdi> <Means visitor={visitor} {...known} />
        {visitor.canChange ? ', with full access.' : ', with view-only access.'} A session lasts 30 days.
      </p>
      <form method="post" action={SIGN_OUT}>
        <button type="submit" class="quiet">
          Sign out
        </button>
      </form>
    </Section>
  )
}

function Means({
  visitor: { telegramId, keyId },
  keys,
  members,
}: Omit<SessionShown, 'settings'> & { visitor: Visitor }) {
  const key = keys.find(({ id }) => id === keyId)
  if (key) return <>{`with the key …${key.last_four}`}</>
  if (telegramId === null) return <>by a link</>
  const name = members.find((member) => member.telegramId === telegramId)?.name
  return (
    <>
      as {name && <bdi>{name}</bdi>} {`(${telegramId})`}
    </>
  )
}
