import { ApplicationChanges } from '../../accounts/applications/contract.ts'
import { Failure, Invalid } from '../../base/errors.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { readZoneProgress, type ZoneProgress } from '../../lifecycle/applications/time-zone.ts'
import type { FormFields } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import { TimeZoneField } from '../forms/time-zones.tsx'
import type { ApplicationRequest } from '../request/application-request.ts'
import { counted, toCount } from '../words/format.ts'
import { partHref, ReadOnly, Section, type Settings, SettingsForm, shownIn } from './section.tsx'

const zoneForm = formOf(ApplicationChanges.pick({ time_zone: true }).required())

export function changeZone({ application, context }: ApplicationRequest, typed: FormFields) {
  return updateApplicationRoute
    .ask({ path: { handle: application.handle }, body: zoneForm.parse(typed) }, context)
    .catch(notNowAsFault)
}

function notNowAsFault(error: unknown): never {
  const isNotNow = error instanceof Failure && error.kind === 'conflict'
  throw isNotNow ? new Invalid([{ loc: ['body', 'time_zone'], msg: error.message, type: 'value_error' }]) : error
}

export function readProgress({ c, application }: ApplicationRequest): Promise<ZoneProgress | null> {
  return readZoneProgress(application, { env: c.env, db: c.get('db') })
}

/** The time zone by whose days figures count, and the progress of a change. */
export function TimeZoneSection({ zoneProgress, ...settings }: Settings & { zoneProgress: ZoneProgress | null }) {
  const { request } = settings
  const { timeZone } = request.application
  const of = shownIn(settings, 'time-zone', zoneForm, { time_zone: zoneProgress?.timeZone ?? timeZone })
  return (
    <Section id="time-zone" title="Time zone" settings={settings}>
      <p>Pages, answers of the API and data retention count days in this time zone. Quotas count UTC days.</p>
      {zoneProgress && <Progress progress={zoneProgress} timeZone={timeZone} again={partHref(request, 'time-zone')} />}
      {request.visitor.canChange ? (
        <SettingsForm
          settings={settings}
          path="/time-zone"
          note="All events are counted again. Until that is complete, figures stay in the old time zone."
        >
          <TimeZoneField of={of} />
        </SettingsForm>
      ) : (
        <ReadOnly rows={[['Time zone', timeZone]]} />
      )}
    </Section>
  )
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
