import { ApplicationChanges } from '../../accounts/applications/contract.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { readZoneProgress, type ZoneProgress } from '../../lifecycle/applications/time-zone.ts'
import { conflictAt } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import { TimeZoneField } from '../forms/time-zones.tsx'
import { counted, toCount } from '../words/format.ts'
import { type Part, partHref, SettingsForm, shownIn } from './section.tsx'

const zoneForm = formOf(ApplicationChanges.pick({ time_zone: true }).required())

/** The time zone by whose days figures count, and the progress of a change. */
export const timeZonePart: Part = {
  id: 'time-zone',
  title: 'Time zone',
  content: async (settings) => {
    const { request } = settings
    const { c, application } = request
    const { timeZone } = application
    const progress = await readZoneProgress(application, { env: c.env, db: c.get('db') })
    const of = shownIn(settings, zoneForm, { time_zone: progress?.timeZone ?? timeZone })
    return (
      <>
        <p>Pages, answers of the API and data retention count days in this time zone. Quotas count UTC days.</p>
        {progress && <Progress progress={progress} timeZone={timeZone} again={partHref(request, 'time-zone')} />}
        <SettingsForm
          settings={settings}
          note="All events are counted again. Until that is complete, figures stay in the old time zone."
          facts={[['Time zone', timeZone]]}
        >
          <TimeZoneField of={of} />
        </SettingsForm>
      </>
    )
  },
  forms: {
    '/time-zone': async ({ application, context }, typed) => {
      await updateApplicationRoute
        .ask({ path: { handle: application.handle }, body: zoneForm.parse(typed) }, context)
        .catch(conflictAt('time_zone'))
    },
  },
}

interface ProgressShown {
  readonly progress: ZoneProgress
  readonly timeZone: string
  readonly again: string
}

function Progress({ progress: { timeZone: next, events }, timeZone, again }: ProgressShown) {
  const far = events ? `: ${toCount(events.read)} of ${counted(events.all, 'event')} read` : ''
  return (
    <p class="note">
      {`Counting events in ${next}${far}. Until this is complete, figures use ${timeZone} days. `}
      <a href={again}>Refresh</a>
    </p>
  )
}
