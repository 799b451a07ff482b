import type { Child } from 'hono/jsx'
import type { Member } from '../../../accounts/members.ts'
import { QUOTA_PERCENT } from '../../../notifications/alerts.ts'
import { NewSubscription } from '../../../notifications/contract.ts'
import { BoundField, type ShownForm, type Variant, Variants } from '../../forms/bound-field.tsx'
import { type Body, formOf } from '../../forms/form-of.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import type { PageProblem } from '../../request/problem.tsx'

export const subscriptionForm = formOf(NewSubscription)

export function isAlert({ rule }: Body): boolean {
  return (rule as { readonly type?: unknown } | undefined)?.type !== 'digest'
}

interface FormShown {
  readonly action: string
  readonly members: readonly Member[]
  readonly problem: PageProblem | null
  /** What was typed into it and refused; empty at first. */
  readonly typed: Body
  /** Names of saved reports that it can be about. */
  readonly reports: readonly string[]
}

const EVERY = [
  ['daily', 'Every day'],
  ['weekly', 'Every Monday'],
] as const

const HOURS = Array.from({ length: 24 }, (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`] as const)

export function DigestForm({ reports, request, ...shown }: FormShown & { readonly request: ApplicationRequest }) {
  const of: ShownForm = { form: subscriptionForm, body: shown.typed, problem: shown.problem, id: 'digest' }
  const chosen = subscriptionForm.fill(shown.typed, 'rule.questions')
  const isChosen = (name: string) => Array.isArray(chosen) && chosen.includes(name)
  return (
    <AddForm
      {...shown}
      of={of}
      title="Add a digest"
      button="Add digest"
      hint={
        <>
          Users, sources, retention, sessions and revenue of yesterday, or every Monday of the week before, and up to
          three saved reports about events, trends, revenue or funnels. To show others, send the link of a{' '}
          <a href={`${request.home}/boards`}>board</a>.
        </>
      }
    >
      <input type="hidden" name="rule.type" value="digest" />
      <BoundField of={of} at="name" label="Name" byDefault="Digest" />
      <BoundField of={of} at="rule:digest.every" label="How often" options={EVERY} />
      <BoundField of={of} at="rule:digest.hour" label="At" byDefault="9" options={HOURS} />
      <BoundField
        of={of}
        at="rule:digest.time_zone"
        label="Time zone"
        hint="Yours, for example Europe/Berlin. Days are those of the application."
        byDefault={request.clock.timeZone}
        required
        spellcheck={false}
      />
      {reports.length > 0 && (
        <fieldset>
          <legend>Saved reports (up to three)</legend>
          {reports.map((name) => (
            <label class="box">
              <input type="checkbox" name="rule:digest.questions" value={name} checked={isChosen(name)} />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </AddForm>
  )
}

export function AlertForm({ reports, ...shown }: FormShown) {
  const of: ShownForm = { form: subscriptionForm, body: shown.typed, problem: shown.problem, id: 'alert' }
  const aboutReport = (type: string, fields: Child) => (
    <>
      <BoundField
        of={of}
        at={`rule:${type}.question`}
        label="Report"
        options={reports.map((name) => [name, name])}
        hint="Save a report about events, trends, revenue or Home, without a breakdown, to choose it here."
      />
      {fields}
    </>
  )
  const threshold = (type: string) => <BoundField of={of} at={`rule:${type}.value`} label="Threshold" />
  const conditions: readonly Variant[] = [
    ['above', 'Report is above', aboutReport('above', threshold('above'))],
    ['below', 'Report is below', aboutReport('below', threshold('below'))],
    [
      'changes_by',
      'Report changes by (%)',
      aboutReport(
        'changes_by',
        <BoundField of={of} at="rule:changes_by.percent" label="Percent" noun="a percentage" />,
      ),
    ],
    [
      'silent',
      'No events for (minutes)',
      <>
        <BoundField of={of} at="rule:silent.minutes" label="Minutes" noun="a number of minutes" />
        <BoundField of={of} at="rule:silent.event" label="Event" hint="Leave it empty for any event." />
      </>,
    ],
    ['new_event_name', 'New event name', null],
    ['quota', `${QUOTA_PERCENT}% of a quota is used`, null],
  ]
  return (
    <AddForm {...shown} of={of} title="Add an alert" button="Add alert">
      <BoundField of={of} at="name" label="Name" />
      <Variants of={of} at="rule" label="When" byDefault="above" variants={conditions} />
    </AddForm>
  )
}

interface AddFormShown extends Pick<FormShown, 'action' | 'members'> {
  readonly of: ShownForm
  readonly title: string
  readonly button: string
  readonly hint?: Child
  readonly children: Child
}

function AddForm({ action, members, of, title, button, hint, children }: AddFormShown) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      <form method="post" action={action} class="fields">
        {children}
        <Target of={of} members={members} />
        <button type="submit">{button}</button>
      </form>
    </section>
  )
}

function Target({ of, members }: Pick<AddFormShown, 'of' | 'members'>) {
  const people = members.map(({ telegramId, name }) => [String(telegramId), `${name} (${telegramId})`] as const)
  const member: Variant = [
    'member',
    'Member',
    <BoundField of={of} at="target:member.telegram_id" label="Member" options={people} />,
  ]
  const variants: readonly Variant[] = [
    ...(people.length > 0 ? [member] : []),
    [
      'chat',
      'Group or channel',
      <>
        <BoundField
          of={of}
          at="target:chat.chat_id"
          label="Chat"
          hint="The id that the bot sends when you connect it."
        />
        <BoundField
          of={of}
          at="target:chat.topic_id"
          label="Topic"
          hint="Only for a group with topics: the id of the topic."
        />
      </>,
    ],
    [
      'webhook',
      'Webhook',
      <BoundField of={of} at="target:webhook.url" label="Address" hint="It begins with https://" inputmode="url" />,
    ],
  ]
  return (
    <Variants
      of={of}
      at="target"
      label="Send to"
      hint="Members must sign in here once, inside the messenger. For a group or channel, an administrator sends /connect to the bot."
      byDefault={variants[0]?.[0] ?? 'chat'}
      variants={variants}
    />
  )
}
