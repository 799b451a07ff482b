import { ApplicationChanges } from '../../accounts/applications/contract.ts'
import { toIso } from '../../base/time/days.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { TypedConfirmation } from '../forms/confirmation.tsx'
import { DetailsFields, NameField } from '../forms/details-fields.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import { toDay } from '../words/format.ts'
import { ReadOnly, refusedIn, Section, type Settings, SettingsForm, settingsHref, shownIn } from './section.tsx'

const applicationForm = formOf(
  ApplicationChanges.pick({ name: true, link: true, description: true, photo_url: true }).required(),
)

export function changeApplication({ application, context }: ApplicationRequest, typed: FormFields) {
  const body = applicationForm.parse(typed)
  return updateApplicationRoute.ask({ path: { handle: application.handle }, body }, context)
}

export function ApplicationSection(settings: Settings) {
  const { application, visitor } = settings.request
  const { name, link, description, photoUrl } = application
  const of = shownIn(settings, 'application', applicationForm, { name, link, description, photo_url: photoUrl })
  return (
    <Section id="application" title="Application" settings={settings}>
      <p class="hint">{`@${application.handle}, added on ${toDay(toIso(application.createdAt).slice(0, 10))}.`}</p>
      {visitor.canChange ? (
        <SettingsForm settings={settings} path="/application">
          <NameField of={of} />
          <DetailsFields of={of} />
        </SettingsForm>
      ) : (
        <ReadOnly
          rows={[
            ['Name', name],
            ['Link', link],
            ['Description', description],
            ['Photo', photoUrl],
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
