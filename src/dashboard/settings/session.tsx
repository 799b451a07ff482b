import { SIGN_OUT } from '../next-page.ts'
import { Section, type Settings } from './section.tsx'

/** As what somebody is signed in, and the way out. */
export function SessionSection(settings: Settings) {
  const { visitor } = settings.request
  return (
    <Section id="session" title="Session" settings={settings}>
      <p>
        Signed in to <bdi>{visitor.accountName}</bdi> <Means {...settings} />
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

function Means({ request, keys, members }: Settings) {
  const { telegramId, keyId } = request.visitor
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
