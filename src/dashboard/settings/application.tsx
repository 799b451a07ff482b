import { toIso } from '../../base/time/days.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { TypedConfirmation } from '../forms/confirmation.tsx'
import { DetailsFields, detailsTyped, NameField } from '../forms/details-fields.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import { toDay } from '../words/format.ts'
import { ReadOnly, refusedIn, Section, type Settings, SettingsForm, settingsHref } from './section.tsx'

export function changeApplication({ application, context }: ApplicationRequest, typed: FormFields) {
  return updateApplicationRoute.ask({ path: { handle: application.handle }, body: detailsTyped(typed) }, context)
}

export function ApplicationSection(settings: Settings) {
  const { application, visitor } = settings.request
  const { name, link, description, photoUrl } = application
  const { typed, problem } = refusedIn(settings, 'application')
  const values = typed ? detailsTyped(typed) : { name, link, description, photo_url: photoUrl }
  return (
    <Section id="application" title="Application" settings={settings}>
      <p class="hint">{`@${application.handle}, added on ${toDay(toIso(application.createdAt).slice(0, 10))}.`}</p>
      {visitor.canChange ? (
        <SettingsForm settings={settings} path="/application">
          <NameField values={values} problem={problem} />
          <DetailsFields values={values} problem={problem} />
        </SettingsForm>
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

export function DeletionSection(settings: Settings) {
  const { request } = settings
  const { typed, problem } = refusedIn(settings, 'deletion')
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
        typed={typed}
        problem={problem}
      />
    </Section>
  )
}
