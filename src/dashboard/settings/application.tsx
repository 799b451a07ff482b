import { toIso } from '../../base/time/days.ts'
import { DetailsFields, detailsTyped, NameField } from '../components/details-fields.tsx'
import { TypedConfirmation } from '../components/typed-confirmation.tsx'
import { toDay } from '../format.ts'
import { ReadOnly, Section, type SettingsRequest, settingsHref } from './section.tsx'

/** What the application's owner says of it. */
export function ApplicationSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  const { application, visitor } = request
  const { name, link, description, photoUrl } = application
  const isRefused = refused?.form === 'application'
  const values = isRefused ? detailsTyped(refused.typed) : { name, link, description, photo_url: photoUrl }
  return (
    <Section id="application" title="Application" settings={settings}>
      <p class="hint">{`@${application.handle}, added on ${toDay(toIso(application.createdAt).slice(0, 10))}.`}</p>
      {visitor.canChange ? (
        <form method="post" action={settingsHref(request, '/application')} class="fields">
          <NameField values={values} problem={isRefused ? refused.problem : null} />
          <DetailsFields values={values} problem={isRefused ? refused.problem : null} />
          <div>
            <button type="submit">Save</button>
          </div>
        </form>
      ) : (
        <ReadOnly
          rows={[
            ['Name', values.name],
            ['Link', values.link],
            ['Description', values.description],
            ['Photo', values.photo_url],
          ]}
        />
      )}
    </Section>
  )
}

/** The end of an application, for who types its handle. */
export function DeletionSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  return (
    <Section id="deletion" title="Delete application" settings={settings}>
      <p class="hint">
        This permanently deletes its events, users, figures, saved reports and the API keys that belong to it alone. The
        handle can be used again immediately.
      </p>
      <TypedConfirmation
        action="Delete"
        name={`@${request.application.handle}`}
        href={settingsHref(request, '/deletion')}
        refused={refused?.form === 'deletion' ? refused : null}
      />
    </Section>
  )
}
