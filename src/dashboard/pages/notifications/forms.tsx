import type { Member } from '../../../accounts/members.ts'
import type { ApplicationRequest } from '../../application-request.ts'
import { InputField, type Option, SelectField } from '../../components/field.tsx'
import type { PageProblem } from '../../components/problem.tsx'
import { type FormFields, numberIn } from '../../forms.ts'

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

export function DigestForm({ action, members, typed, reports, request }: FormShown & { request: ApplicationRequest }) {
  const chosen = typed?.list('questions') ?? []
  return (
    <section class="card">
      <h2>Add a digest</h2>
      <form method="post" action={action} class="fields">
        <input type="hidden" name="type" value="digest" />
        <InputField
          label="Name"
          id="digest-name"
          name="name"
          value={typed?.text('name') ?? 'Daily digest'}
          required
          maxlength={100}
        />
        <SelectField
          label="How often"
          id="digest-every"
          name="every"
          value={typed?.text('every')}
          options={EVERY}
          problem={null}
        />
        <SelectField
          label="At"
          id="digest-hour"
          name="hour"
          value={typed?.text('hour') ?? '9'}
          options={Array.from({ length: HOURS }, (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`])}
          problem={null}
        />
        <InputField
          label="Time zone"
          id="digest-zone"
          name="time_zone"
          value={typed?.text('time_zone') ?? request.clock.timeZone}
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
        <TargetFields id="digest" members={members} typed={typed} />
        <button type="submit">Add digest</button>
      </form>
    </section>
  )
}

export function AlertForm({ action, members, typed, reports }: FormShown) {
  return (
    <section class="card">
      <h2>Add an alert</h2>
      <form method="post" action={action} class="fields">
        <InputField
          label="Name"
          id="alert-name"
          name="name"
          value={typed?.text('name') ?? ''}
          required
          maxlength={100}
        />
        <SelectField
          label="When"
          id="alert-type"
          name="type"
          value={typed?.text('type')}
          options={CONDITIONS}
          problem={null}
        />
        <SelectField
          label="Report"
          id="alert-question"
          name="question"
          value={typed?.text('question')}
          options={reports.map((name) => [name, name])}
          hint="Save a report about events, trends, revenue or the overview, without a breakdown, to choose it here."
          problem={null}
        />
        <InputField
          label="Number"
          id="alert-number"
          name="number"
          value={typed?.text('number') ?? ''}
          inputmode="decimal"
          hint="The threshold, the percentage, or the minutes. New names and quotas need none."
        />
        <InputField
          label="Event"
          id="alert-event"
          name="event"
          value={typed?.text('event') ?? ''}
          hint="Only for “No events”. Leave it empty for any event."
        />
        <TargetFields id="alert" members={members} typed={typed} />
        <button type="submit">Add alert</button>
      </form>
    </section>
  )
}

function TargetFields({ id, members, typed }: Pick<FormShown, 'members' | 'typed'> & { readonly id: string }) {
  const people = members.map(({ telegramId, name }): Option => [String(telegramId), `${name} (${telegramId})`])
  return (
    <>
      <SelectField
        label="Send to"
        id={`${id}-to`}
        name="to"
        value={typed?.text('to')}
        options={[...people, ['chat', 'Group or channel'], ['webhook', 'Webhook']]}
        hint="Members start the bot once. Add them in the settings."
        problem={null}
      />
      <InputField
        label="Chat or address"
        id={`${id}-address`}
        name="address"
        value={typed?.text('address') ?? ''}
        hint="Of a group or channel, its id or @name; of a webhook, an https address."
      />
      <InputField
        label="Topic"
        id={`${id}-topic`}
        name="topic"
        value={typed?.text('topic') ?? ''}
        inputmode="numeric"
        hint="Only for a group with topics: the id of the topic."
      />
    </>
  )
}
