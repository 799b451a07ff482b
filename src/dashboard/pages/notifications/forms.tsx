import type { Member } from '../../../accounts/members.ts'
import { InputField, type Option, SelectField } from '../../forms/field.tsx'
import { type FormFields, numberIn } from '../../forms/fields-of-form.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import type { PageProblem } from '../../request/problem.tsx'

const CONDITIONS: readonly Option[] = [
  ['above', 'Report is above'],
  ['below', 'Report is below'],
  ['changes_by', 'Report changes by (%)'],
  ['silent', 'No events for (minutes)'],
  ['new_event_name', 'New event name'],
  ['quota', '80% of a quota is used'],
]

const EVERY: readonly Option[] = [
  ['daily', 'Every day'],
  ['weekly', 'Every Monday'],
]

/** The operation's own body, from what was typed into either form. */
export function toBody(typed: FormFields) {
  return { name: typed.trimmed('name'), rule: ruleOf(typed), target: targetOf(typed) }
}

export function isAlert(typed: FormFields): boolean {
  return typed.text('type') !== 'digest'
}

function ruleOf(typed: FormFields) {
  const type = typed.text('type')
  const [question, number, event] = [typed.text('question'), numberIn(typed.trimmed('number')), typed.trimmed('event')]
  if (type === 'digest') {
    const [every, hour, zone] = [typed.text('every'), numberIn(typed.trimmed('hour')), typed.trimmed('time_zone')]
    return { type, every, hour, time_zone: zone, questions: typed.list('questions').filter((name) => name !== '') }
  }
  if (type === 'silent') return { type, minutes: number, ...(event && { event }) }
  if (type === 'changes_by') return { type, question, percent: number }
  return type === 'above' || type === 'below' ? { type, question, value: number } : { type }
}

function targetOf(typed: FormFields) {
  const [to, address, topic] = [typed.text('to'), typed.trimmed('address'), typed.trimmed('topic')]
  if (to === 'webhook') return { type: to, url: address }
  if (to === 'chat') return { type: to, chat_id: address, ...(topic && { topic_id: numberIn(topic) }) }
  return { type: 'member', telegram_id: numberIn(to) }
}

interface FormShown {
  readonly action: string
  readonly members: readonly Member[]
  readonly problem: PageProblem | null
  /** What was typed into it and refused. */
  readonly typed: FormFields | null
  /** Names of saved reports that it can be about. */
  readonly reports: readonly string[]
}

const HOURS = 24

/** A field of a form: its own id, as the page has two forms, and what was typed into it. */
function fieldsOf(form: string, typed: FormFields | null) {
  return (name: string, byDefault = '', id = name) => ({
    id: `${form}-${id}`,
    name,
    value: typed?.text(name) ?? byDefault,
  })
}

export function DigestForm({ action, members, typed, reports, request }: FormShown & { request: ApplicationRequest }) {
  const chosen = typed?.list('questions') ?? []
  const field = fieldsOf('digest', typed)
  return (
    <section class="card">
      <h2>Add a digest</h2>
      <p class="hint">
        Users, sources, retention, sessions and revenue of yesterday, or every Monday of the week before, and up to
        three saved reports about events, trends, revenue or funnels. To show others, send the link of a{' '}
        <a href={`${request.home}/boards`}>board</a>.
      </p>
      <form method="post" action={action} class="fields">
        <input type="hidden" name="type" value="digest" />
        <InputField label="Name" {...field('name', 'Digest')} required maxlength={100} />
        <SelectField label="How often" {...field('every')} options={EVERY} problem={null} />
        <SelectField
          label="At"
          {...field('hour', '9')}
          options={Array.from({ length: HOURS }, (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`])}
          problem={null}
        />
        <InputField
          label="Time zone"
          {...field('time_zone', request.clock.timeZone, 'zone')}
          hint="Yours, for example Europe/Berlin. Days are those of the application."
          required
          spellcheck={false}
        />
        {reports.length > 0 && (
          <fieldset>
            <legend>Saved reports (up to three)</legend>
            {reports.map((name) => (
              <label class="box">
                <input type="checkbox" name="questions" value={name} checked={chosen.includes(name)} />
                <bdi>{name}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <TargetFields field={field} members={members} />
        <button type="submit">Add digest</button>
      </form>
    </section>
  )
}

export function AlertForm({ action, members, typed, reports }: FormShown) {
  const field = fieldsOf('alert', typed)
  return (
    <section class="card">
      <h2>Add an alert</h2>
      <form method="post" action={action} class="fields">
        <InputField label="Name" {...field('name')} required maxlength={100} />
        <SelectField label="When" {...field('type')} options={CONDITIONS} problem={null} />
        <SelectField
          label="Report"
          {...field('question')}
          options={reports.map((name) => [name, name])}
          hint="Save a report about events, trends, revenue or Home, without a breakdown, to choose it here."
          problem={null}
        />
        <InputField
          label="Number"
          {...field('number')}
          inputmode="decimal"
          hint="The threshold, the percentage, or the minutes. New names and quotas need none."
        />
        <InputField label="Event" {...field('event')} hint="Only for “No events”. Leave it empty for any event." />
        <TargetFields field={field} members={members} />
        <button type="submit">Add alert</button>
      </form>
    </section>
  )
}

interface TargetShown extends Pick<FormShown, 'members'> {
  readonly field: ReturnType<typeof fieldsOf>
}

function TargetFields({ field, members }: TargetShown) {
  const people = members.map(({ telegramId, name }): Option => [String(telegramId), `${name} (${telegramId})`])
  return (
    <>
      <SelectField
        label="Send to"
        {...field('to')}
        options={[...people, ['chat', 'Group or channel'], ['webhook', 'Webhook']]}
        hint="Members must sign in here once, inside the messenger. For a group or channel, an administrator sends /connect to the bot."
        problem={null}
      />
      <InputField
        label="Chat or address"
        {...field('address')}
        hint="For a group or channel, the id that the bot sends when you connect it. For a webhook, an https address."
      />
      <InputField
        label="Topic"
        {...field('topic')}
        inputmode="numeric"
        hint="Only for a group with topics: the id of the topic."
      />
    </>
  )
}
