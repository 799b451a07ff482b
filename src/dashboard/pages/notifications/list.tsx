import type { Member } from '../../../accounts/members.ts'
import { QUOTA_PERCENT } from '../../../notifications/alerts.ts'
import type { listSubscriptionsRoute } from '../../../notifications/routes.ts'
import { Confirmation } from '../../forms/confirmation.tsx'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type Clock, toMoment } from '../../words/format.ts'

type ListedSubscription = AnswerTo<typeof listSubscriptionsRoute>['data'][number]

interface ListShown {
  readonly subscriptions: readonly ListedSubscription[]
  readonly members: readonly Member[]
  readonly request: ApplicationRequest
}

export function SubscriptionList({ subscriptions, members, request }: ListShown) {
  return (
    <section class="card">
      <h2>Digests and alerts</h2>
      {subscriptions.length === 0 ? (
        <p class="nothing">
          No notifications yet. Add a digest to get yesterday's figures every morning, or an alert to hear when
          something changes.
        </p>
      ) : (
        <ul class="questions notifications">
          {subscriptions.map((subscription) => (
            <Item subscription={subscription} members={members} request={request} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface ItemShown extends Omit<ListShown, 'subscriptions'> {
  readonly subscription: ListedSubscription
}

function Item({ subscription, members, request: { clock, home, visitor } }: ItemShown) {
  const { id, name, rule, target, problem, deliveries } = subscription
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span class="hint">{stateOf(subscription, clock)}</span>
        <p class="hint">
          <bdi>{describeRule(rule)}</bdi>
          {' → '}
          <bdi>{describeTarget(target, { members, isWhole: visitor.canChange })}</bdi>
        </p>
        {problem && <p class="fault">{problem}</p>}
        {deliveries.map((delivery) => (
          <Delivery delivery={delivery} clock={clock} />
        ))}
        {visitor.canChange && (
          <div class="actions">
            <Actions subscription={subscription} action={`${home}/notifications/${id}/change`} clock={clock} />
            {target.type === 'webhook' && (
              <Confirmation
                action="Rotate secret"
                label={`Rotate secret: ${name}`}
                sure={`Rotate the secret of ${name}`}
                href={`${home}/notifications/${id}/secret`}
              >
                The new secret is shown once. The old one also signs messages for 24 hours, so that you can change it in
                your receiver.
              </Confirmation>
            )}
            <Confirmation action="Delete" sure={`Delete ${name}`} href={`${home}/notifications/${id}/delete`}>
              Nothing more is sent, and its messages are deleted.
            </Confirmation>
          </div>
        )}
      </div>
    </li>
  )
}

function stateOf(
  { is_on: isOn, is_active: isActive, next_at: nextAt, ...subscription }: ListedSubscription,
  clock: Clock,
): string {
  if (!isOn) return 'Off'
  if (isSnoozed(subscription, clock)) return `Snoozed until ${toMoment(subscription.snoozed_until ?? '', clock)}`
  if (subscription.rule.type === 'digest') return `Next: ${toMoment(nextAt ?? '', clock)}`
  return isActive ? 'Active' : 'On'
}

function isSnoozed({ snoozed_until: until }: Pick<ListedSubscription, 'snoozed_until'>, { now }: Clock): boolean {
  return until !== null && Date.parse(until) > now
}

function describeRule(rule: ListedSubscription['rule']): string {
  switch (rule.type) {
    case 'digest': {
      const when = rule.every === 'daily' ? 'Every day' : 'Every Monday'
      const also = rule.questions?.length ? `, with ${rule.questions.join(', ')}` : ''
      return `${when} at ${String(rule.hour).padStart(2, '0')}:00 ${rule.time_zone}${also}`
    }
    case 'changes_by':
      return `${rule.question} changes by ${rule.percent}%`
    case 'silent':
      return `No ${rule.event ?? 'events'} for ${rule.minutes} minutes`
    case 'new_event_name':
      return 'New event name'
    case 'quota':
      return `${QUOTA_PERCENT}% of a quota is used`
    default:
      return `${rule.question} is ${rule.type} ${rule.value}`
  }
}

/** Addresses of webhooks often hold a secret, so those who may only look see the host. */
function describeTarget(
  target: ListedSubscription['target'],
  { members, isWhole }: { readonly members: readonly Member[]; readonly isWhole: boolean },
): string {
  if (target.type === 'webhook') return isWhole ? target.url : new URL(target.url).host
  if (target.type === 'chat') return target.topic_id ? `${target.chat_id}, topic ${target.topic_id}` : target.chat_id
  const member = members.find(({ telegramId }) => telegramId === target.telegram_id)
  return member?.name || String(target.telegram_id)
}

const STATUSES = {
  waiting: 'Waiting to be sent',
  sending: 'Being sent',
  sent: 'Sent',
  shown: 'Would have been sent',
  failed: 'Failed',
}

function Delivery({ delivery, clock }: { delivery: ListedSubscription['deliveries'][number]; clock: Clock }) {
  const { at, status, text, http_status: httpStatus, answer } = delivery
  const why = [httpStatus, answer].filter((part) => part !== null && part !== '').join(' ')
  return (
    <details>
      <summary>{`${STATUSES[status]}, ${toMoment(at, clock)}`}</summary>
      {why && <p class="hint">{`Answer: ${why}`}</p>}
      {text && <p class="message">{text}</p>}
    </details>
  )
}

const SEND = ['send', 'Send now'] as const

interface ActionsShown {
  readonly subscription: ListedSubscription
  readonly action: string
  readonly clock: Clock
}

function Actions({ subscription, action, clock }: ActionsShown) {
  const { is_on: isOn, name, rule } = subscription
  const snooze = isSnoozed(subscription, clock)
    ? (['wake', 'End snooze'] as const)
    : (['snooze', 'Snooze for a day'] as const)
  const buttons = [
    isOn ? (['off', 'Switch off'] as const) : (['on', 'Switch on'] as const),
    ...(isOn ? [snooze] : []),
    ...(rule.type === 'digest' ? [SEND] : []),
  ]
  return (
    <form method="post" action={action} class="row">
      {buttons.map(([value, label]) => (
        <button type="submit" class="quiet" name="action" value={value} aria-label={`${label}: ${name}`}>
          {label}
        </button>
      ))}
    </form>
  )
}
