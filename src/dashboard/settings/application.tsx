import { toIso } from '../../time/days.ts'
import { DetailsFields, type DetailValues, detailsTyped, NameField } from '../components/details-fields.tsx'
import { toDay } from '../format.ts'
import { Section, type SettingsRequest, settingsHref } from './section.tsx'

/** What the application's owner says of it. */
export function ApplicationSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  const { application, visitor } = request
  const { name, link, description, photoUrl } = application
  const isRefused = refused?.form === 'application'
  const values = isRefused ? detailsTyped(refused.typed) : { name, link, description, photo_url: photoUrl }
  return (
    <Section id="application" title="Application" settings={settings}>
      <p class="hint">{`@${application.handle}, registered on ${toDay(toIso(application.createdAt).slice(0, 10))}.`}</p>
      {visitor.canChange ? (
        <form method="post" action={settingsHref(request, '/application')} class="fields">
          <NameField values={values} problem={isRefused ? refused.problem : null} />
          <DetailsFields values={values} problem={isRefused ? refused.problem : null} />
          <div>
            <button type="submit">Save</button>
          </div>
        </form>
      ) : (
        <Details {...values} />
      )}
    </Section>
  )
}

function Details({ name, link, description, photo_url }: DetailValues) {
  const rows = [
    ['Name', name],
    ['Link', link],
    ['Description', description],
    ['Photo', photo_url],
  ]
  return (
    <dl class="destination">
      {rows.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <bdi>{value || '–'}</bdi>
          </dd>
        </>
      ))}
    </dl>
  )
}
