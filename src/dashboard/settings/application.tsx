import { isSameHandle } from '../../accounts/applications/applications.ts'
import { ApplicationChanges } from '../../accounts/applications/contract.ts'
import { toIso } from '../../base/time/days.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { deleteApplicationRoute } from '../../lifecycle/deletion/routes.ts'
import { requireConfirmation, TypedConfirmation } from '../forms/confirmation.tsx'
import { DetailsFields, NameField } from '../forms/details-fields.tsx'
import { formOf } from '../forms/form-of.ts'
import { DASHBOARD } from '../request/next-page.ts'
import { toDay } from '../words/format.ts'
import { type Part, SettingsForm, settingsHref, shownIn } from './section.tsx'

const applicationForm = formOf(
  ApplicationChanges.pick({ name: true, link: true, description: true, photo_url: true }).required(),
)

export const applicationPart: Part = {
  id: 'application',
  title: 'Application',
  content: (settings) => {
    const { application } = settings.request
    const { name, link, description, photoUrl } = application
    const of = shownIn(settings, applicationForm, { name, link, description, photo_url: photoUrl })
    return (
      <>
        <p class="hint">{`@${application.handle}, added on ${toDay(toIso(application.createdAt).slice(0, 10))}.`}</p>
        <SettingsForm
          settings={settings}
          facts={[
            ['Name', name],
            ['Link', link],
            ['Description', description],
            ['Photo', photoUrl],
          ]}
        >
          <NameField of={of} />
          <DetailsFields of={of} />
        </SettingsForm>
      </>
    )
  },
  forms: {
    '/application': async ({ application, context }, typed) => {
      const body = applicationForm.parse(typed)
      await updateApplicationRoute.ask({ path: { handle: application.handle }, body }, context)
    },
  },
}

/** Shown to those who may delete it. */
export const deletionPart: Part = {
  id: 'deletion',
  title: 'Delete application',
  content: ({ request, typed, problem }) => {
    if (!request.visitor.canChange) return null
    return (
      <>
        <p class="hint">
          This permanently deletes its events, users, figures, saved reports and the API keys that belong to it alone.
          The handle can be used again immediately.
        </p>
        <TypedConfirmation
          action="Delete"
          name={`@${request.application.handle}`}
          href={settingsHref(request, '/deletion')}
          typed={typed}
          problem={problem}
        />
      </>
    )
  },
  forms: {
    '/deletion': async ({ c, application, context }, typed) => {
      const query = { confirm: typed.trimmed('confirm') }
      requireConfirmation(isSameHandle(query.confirm, application.handle), 'handle')
      await deleteApplicationRoute.ask({ path: { handle: application.handle }, query }, context)
      return c.redirect(DASHBOARD, 303)
    },
  },
}
