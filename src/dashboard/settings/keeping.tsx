import type { AccountApplication } from '../../accounts/applications/applications.ts'
import { dataSince, keptFromAt, MAX_KEEP_MONTHS, MIN_KEEP_MONTHS } from '../../accounts/applications/kept.ts'
import { toDate } from '../../base/time/days.ts'
import type { ApplicationRequest } from '../application-request.ts'
import { Field, faultsOf } from '../components/field.tsx'
import { TypedConfirmation } from '../components/typed-confirmation.tsx'
import { counted, toDay } from '../format.ts'
import { type FormFields, numberIn } from '../forms.ts'
import { ReadOnly, type Refused, Section, type SettingsRequest, settingsHref } from './section.tsx'

type Keeping = Pick<AccountApplication, 'keepMonths' | 'keptFrom'>

/** What was typed as the operation takes it. */
export function monthsTyped(typed: FormFields): number | string | null {
  const text = typed.trimmed('keep_months')
  return text === '' ? null : numberIn(text)
}

/** The first day of which events are still kept with another number of months; null where nothing is deleted that would stay as it is. */
export function firstDayLeft(months: unknown, { keepMonths, keptFrom }: Keeping, now: number): number | null {
  if (!isMonths(months)) return null
  const day = keptFromAt(now, months)
  const before = keepMonths === null ? null : keptFromAt(now, keepMonths)
  return day > Math.max(keptFrom ?? 0, before ?? 0) ? day : null
}

/** Of anything else the operation says what is wrong with it. */
function isMonths(months: unknown): months is number {
  return Number.isInteger(months) && Number(months) >= MIN_KEEP_MONTHS && Number(months) <= MAX_KEEP_MONTHS
}

/** How long events are kept: an owner who makes it shorter confirms that older ones are deleted. */
export function KeepingSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  const { application, visitor, c } = request
  const now = c.get('now')
  const own = refused?.form === 'keeping' ? refused : null
  const months = own ? monthsTyped(own.typed) : application.keepMonths
  const day = own && firstDayLeft(months, application, now)
  return (
    <Section id="keeping" title="Data retention" settings={settings}>
      <p>
        Keep events forever or for a number of months. Older events and their sessions are then permanently deleted, day
        by day. Daily figures, users and their properties stay.
      </p>
      <State application={application} now={now} />
      {!visitor.canChange ? (
        <ReadOnly
          rows={[
            [
              'Events are kept',
              application.keepMonths === null ? 'forever' : `for ${counted(application.keepMonths, 'month')}`,
            ],
          ]}
        />
      ) : own && day ? (
        <Confirmation request={request} refused={own} day={day} />
      ) : (
        <MonthsForm request={request} months={months} refused={own} />
      )}
    </Section>
  )
}

/** What is deleted, or will be. */
function State({ application: { keepMonths, keptFrom }, now }: { application: Keeping; now: number }) {
  const due = keepMonths === null ? 0 : keptFromAt(now, keepMonths)
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

interface FormShown {
  readonly request: ApplicationRequest
  readonly months: number | string | null
  readonly refused: Refused | null
}

const OFFERED_MONTHS = [MIN_KEEP_MONTHS, 3, 6, 12, 18, 24, 36, 60, MAX_KEEP_MONTHS]

function MonthsForm({ request, months, refused }: FormShown) {
  const { keepMonths } = request.application
  const offered = new Set([...OFFERED_MONTHS, ...(keepMonths === null ? [] : [keepMonths])])
  const now = request.c.get('now')
  return (
    <form method="post" action={settingsHref(request, '/keeping')} class="fields">
      <Field label="Keep events" id="keep_months" faults={faultsOf(refused?.problem ?? null, 'keep_months')}>
        {(attributes) => (
          <select name="keep_months" {...attributes}>
            <option value="">forever</option>
            {[...offered]
              .toSorted((a, b) => a - b)
              .map((count) => (
                <option value={String(count)} selected={count === months}>
                  {`for ${counted(count, 'month')} (since ${dateOf(keptFromAt(now, count))})`}
                </option>
              ))}
          </select>
        )}
      </Field>
      <div>
        <button type="submit">Save</button>
      </div>
    </form>
  )
}

interface ConfirmShown {
  readonly request: ApplicationRequest
  readonly refused: Refused
  /** The first day of which events are still kept. */
  readonly day: number
}

/** What else is deleted from now on, and when. */
function Confirmation({ request, refused, day }: ConfirmShown) {
  const months = refused.typed.trimmed('keep_months')
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
        refused={refused.typed.trimmed('confirm') === '' ? null : refused}
      >
        <input type="hidden" name="keep_months" value={months} />
      </TypedConfirmation>
      <p>
        <a href={`${settingsHref(request)}#keeping`}>Cancel</a>
      </p>
    </>
  )
}
