import type { FunnelStep } from '../../../questions/funnels/contract.ts'
import { NearestName } from '../../figures/empty.tsx'
import type { UsersHref } from '../../figures/figure-users.ts'
import { Figure, UsersLink } from '../../figures/table.tsx'
import { hrefTo, type View } from '../../request/address.ts'
import { toCount, toDuration, toPercent, toShare } from '../../words/format.ts'
import { isAnyOrder, ORDERS } from './question.ts'
import { windowInWords } from './window.ts'

interface StepsShown {
  readonly view: View
  readonly home: string
  readonly steps: readonly FunnelStep[]
  readonly labels: readonly string[]
  readonly usersHref: UsersHref
  /** Steps that did not occur in the period, if that is known. */
  readonly unknown: ReadonlySet<string>
  /** The names that occurred. */
  readonly names: readonly string[]
}

/** A column for each step: who reached it, and who of the step before did not. */
export function FunnelSteps({ view, steps, ...shown }: StepsShown) {
  const order = ORDERS.find((one) => one.order === (view.params.get('order') ?? 'ordered'))
  const leak = largestLoss(steps)
  return (
    <>
      <h2 class="unseen">Steps</h2>
      <p class="hint">
        {`Users who did these steps ${order?.inWords ?? ''} within ${windowInWords(view.params.get('window_seconds'))}.`}
      </p>
      <ol class="funnel">
        {steps.map((step, place) => (
          <Step view={view} {...shown} step={step} previous={steps[place - 1]} isLargest={place === leak} />
        ))}
      </ol>
    </>
  )
}

interface StepShown extends Omit<StepsShown, 'steps'> {
  readonly step: FunnelStep
  readonly previous: FunnelStep | undefined
  readonly isLargest: boolean
}

function Step({ view, home, step, labels, unknown, names, usersHref, ...shown }: StepShown) {
  const reached = usersHref({ step: step.step })
  const stopped = usersHref({ step: step.step - 1, stopped: true })
  return (
    <li>
      <StepBar step={step} previous={shown.previous} reached={reached} stopped={stopped} />
      <div class="funnel-text">
        <p class="funnel-name">
          {isAnyOrder(view) ? (
            <span>{labels[step.step - 1]}</span>
          ) : (
            <a href={hrefTo(view, `${home}/events`, { event: step.event })}>
              <bdi title={step.event}>{step.event}</bdi>
            </a>
          )}
        </p>
        <p>
          <strong>
            <Figure value={step.users} users={reached} />
          </strong>{' '}
          <span class="hint">{toPercent(step.conversion_from_start)}</span>
        </p>
        {shown.previous && <Loss step={step} users={stopped} {...shown} previous={shown.previous} />}
        {!isAnyOrder(view) && step.users > 0 && (
          <p class="funnel-notes">
            <a href={hrefTo(view, `${home}/paths`, { event: step.event })}>
              Paths<span class="unseen">{` from ${step.event}`}</span> →
            </a>
          </p>
        )}
        {unknown.has(step.event) && (
          <p class="fault">
            No event with this name in this period. Check its spelling.
            <NearestName view={view} param="events" name={step.event} names={names} />
          </p>
        )}
      </div>
    </li>
  )
}

interface BarShown extends Pick<StepShown, 'step' | 'previous'> {
  /** Lists of users: the texts below the bar lead there, too, so the keyboard passes these links over. */
  readonly reached: string
  readonly stopped: string
}

/** Draws the bar upright and flat; the page shows the one that fits. */
function StepBar({ step, previous, reached, stopped }: BarShown) {
  const all = previous?.conversion_from_start ?? 0
  const part = Math.max(step.users > 0 ? LEAST_PERCENT : 0, step.conversion_from_start)
  const isReached = step.users > 0
  return (
    <svg class="funnel-bar" aria-hidden="true">
      {[true, false].map((isStanding) => (
        <g class={isStanding ? 'standing' : 'lying'}>
          {previous && all > part && (
            <a href={stopped} tabindex={-1}>
              <title>{`Drop-off ${toCount(previous.users - step.users)}`}</title>
              <rect class="lost" {...placeOf(all, isStanding)} rx="4" />
            </a>
          )}
          <a href={isReached ? reached : undefined} tabindex={-1}>
            <title>{toCount(step.users)}</title>
            <rect {...placeOf(part, isStanding)} rx="4" />
          </a>
        </g>
      ))}
    </svg>
  )
}

/** What is little is not nothing. */
const LEAST_PERCENT = 0.5

function placeOf(percent: number, isStanding: boolean) {
  const [size, rest] = [percent, 100 - percent].map((value) => `${value.toFixed(2)}%`)
  return isStanding ? { y: rest, width: '100%', height: size } : { width: size, height: '100%' }
}

interface LossShown extends Pick<StepShown, 'step' | 'isLargest'> {
  readonly previous: FunnelStep
  /** The list of those who were lost. */
  readonly users: string
}

function Loss({ step, previous, isLargest, users }: LossShown) {
  if (previous.users === 0) return null
  const lost = previous.users - step.users
  const [median, average] = [step.median_seconds, step.average_seconds]
  return (
    <>
      <p class="funnel-notes">{`${toPercent(step.conversion_from_previous)} of the previous step`}</p>
      {lost > 0 && (
        <p class={isLargest ? 'funnel-notes change bad' : 'funnel-notes'}>
          <UsersLink users={users}>
            {`Drop-off ${toCount(lost)} (${toShare(lost, previous.users)})${isLargest ? ' · biggest' : ''}`}
          </UsersLink>
        </p>
      )}
      {median !== null && average !== null && (
        <p class="funnel-notes">{`Median time ${toDuration(median)} · avg ${toDuration(average)}`}</p>
      )}
    </>
  )
}

/** The step with the largest loss before it; null for funnels of two steps. */
function largestLoss(steps: readonly FunnelStep[]): number | null {
  if (steps.length < 3) return null
  const losses = steps.map(({ users }, place) => (steps[place - 1]?.users ?? users) - users)
  const most = Math.max(...losses)
  return most > 0 ? losses.indexOf(most) : null
}
