import { type AccountApplication, isSameHandle } from '../../accounts/applications/applications.ts'
import { ApplicationChanges } from '../../accounts/applications/contract.ts'
import { dataSince, keptFromOn, MAX_KEEP_MONTHS, MIN_KEEP_MONTHS } from '../../accounts/applications/kept.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { toDate } from '../../base/time/days.ts'
import { updateApplicationRoute } from '../../lifecycle/applications/routes.ts'
import { BoundField } from '../forms/bound-field.tsx'
import { requireConfirmation, TypedConfirmation } from '../forms/confirmation.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { formOf } from '../forms/form-of.ts'
import { counted, toDay } from '../words/format.ts'
import { type Part, partHref, type Settings, SettingsForm, settingsHref, shownIn } from './section.tsx'

type Keeping = Pick<AccountApplication, 'keepMonths' | 'keptFrom' | 'timeZone'>

const keepingForm = formOf(ApplicationChanges.pick({ keep_months: true }).required())

/** How long events are kept. What deletes events has to be confirmed. */
export const keepingPart: Part = {
  id: 'keeping',
  title: 'Data retention',
  content: (settings) => {
    const { request, typed } = settings
    const { application, c } = request
    const now = c.get('now')
    const day = typed && firstDayLeft(keepingForm.read(typed).keep_months, application, now)
    return (
      <>
        <p>
          Keep events forever or for a number of months. Older events and their sessions are then permanently deleted,
          day by day. Daily figures, users and their properties stay.
        </p>
        <State application={application} now={now} />
        {typed && day ? <Deletion settings={settings} typed={typed} day={day} /> : <MonthsForm settings={settings} />}
      </>
    )
  },
  forms: {
    '/keeping': async ({ c, application, context }, typed) => {
      const body = keepingForm.parse(typed)
      const isDeleting = firstDayLeft(body.keep_months, application, c.get('now')) !== null
      if (isDeleting) requireConfirmation(isSameHandle(typed.trimmed('confirm'), application.handle), 'handle')
      await updateApplicationRoute.ask({ path: { handle: application.handle }, body }, context)
    },
  },
}

/** The first day whose events remain with another number of months; null if nothing is deleted that would stay as it is. */
function firstDayLeft(months: unknown, { keepMonths, keptFrom, timeZone }: Keeping, now: number): number | null {
  if (!isMonths(months)) return null
  const today = calendarOf(timeZone).dayOf(now)
  const day = keptFromOn(today, months)
  const before = keepMonths === null ? null : keptFromOn(today, keepMonths)
  return day > Math.max(keptFrom ?? 0, before ?? 0) ? day : null
}

/** Whether this is a number of months that may be kept. What is wrong with anything else, the operation says. */
function isMonths(months: unknown): months is number {
  return Number.isInteger(months) && Number(months) >= MIN_KEEP_MONTHS && Number(months) <= MAX_KEEP_MONTHS
}

function State({ application: { keepMonths, keptFrom, timeZone }, now }: { application: Keeping; now: number }) {
  const due = keepMonths === null ? 0 : keptFromOn(calendarOf(timeZone).dayOf(now), keepMonths)
  return (
    <>
      {keptFrom !== null && (
        <p>
          {`Events before ${dateOf(keptFrom)} have been deleted. Figures are complete since ${dateOf(dataSince(keptFrom))}, because they look back up to 30 days.`}
        </p>
      )}
      {due > (keptFrom ?? 0) && <p>{`Events before ${dateOf(due)} will be deleted within a day.`}</p>}
    </>
  )
}

function dateOf(day: number): string {
  return toDay(toDate(day))
}

const OFFERED_MONTHS = [MIN_KEEP_MONTHS, 3, 6, 12, 18, 24, 36, 60, MAX_KEEP_MONTHS]

function MonthsForm({ settings }: { settings: Settings }) {
  const { c, application } = settings.request
  const { keepMonths, timeZone } = application
  const today = calendarOf(timeZone).dayOf(c.get('now'))
  const offered = new Set([...OFFERED_MONTHS, ...(keepMonths === null ? [] : [keepMonths])])
  const toLabel = (count: number) => `for ${counted(count, 'month')} (since ${dateOf(keptFromOn(today, count))})`
  return (
    <SettingsForm
      settings={settings}
      facts={[['Events are kept', keepMonths === null ? 'forever' : `for ${counted(keepMonths, 'month')}`]]}
    >
      <BoundField
        of={shownIn(settings, keepingForm, { keep_months: keepMonths })}
        at="keep_months"
        label="Keep events"
        options={[
          ['', 'forever'],
          ...[...offered].toSorted((a, b) => a - b).map((count) => [String(count), toLabel(count)] as const),
        ]}
      />
    </SettingsForm>
  )
}

interface DeletionShown {
  readonly settings: Settings
  readonly typed: FormFields
  /** The first day whose events are still kept. */
  readonly day: number
}

function Deletion({ settings: { request, problem }, typed, day }: DeletionShown) {
  const months = typed.trimmed('keep_months')
  const isAskedFirst = typed.trimmed('confirm') === ''
  return (
    <>
      <p>
        {`Keeping events for ${counted(Number(months), 'month')} deletes every event before `}
        <strong>{dateOf(day)}</strong>
        {` within a day, and one more day of events every day after that. Deleted events cannot be restored: export them first if you may need them. Reports will be complete since ${dateOf(dataSince(day))}.`}
      </p>
      <TypedConfirmation
        action="Delete older events"
        sure={`Delete events before ${dateOf(day)}`}
        name={`@${request.application.handle}`}
        id="keeping-confirm"
        href={settingsHref(request, '/keeping')}
        {...(isAskedFirst ? { typed: null, problem: null } : { typed, problem })}
      >
        <input type="hidden" name="keep_months" value={months} />
      </TypedConfirmation>
      <p>
        <a href={partHref(request, 'keeping')}>Cancel</a>
      </p>
    </>
  )
}
