import type { FunnelStep } from '../../../questions/funnels/contract.ts'
import { hrefTo } from '../../address.ts'
import { Figure } from '../../components/table.tsx'
import { toCount, toDuration, toPercent, toShare } from '../../format.ts'
import type { View } from '../../view.ts'
import { isAnyOrder, type ShownFunnel } from './question.ts'
import { windowInWords } from './window.ts'

const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ['ordered', 'in sequence'],
  ['strict', 'in strict order'],
  ['any', 'in any order'],
])

interface FunnelStepsShown {
  readonly view: View
  readonly home: string
  readonly all: ShownFunnel
  readonly labels: readonly string[]
  /** Steps that did not occur in the period, where that is known. */
  readonly unknown: ReadonlySet<string>
}

/** Of all users together: how many did each step, and how many were lost before it. */
export function FunnelSteps({ view, home, all, labels, unknown }: FunnelStepsShown) {
  const order = view.params.get('order') ?? 'ordered'
  const leak = largestLoss(all.steps)
  return (
    <section class="card">
      <h2>Steps</h2>
      <p class="hint">
        {`Users who did these steps ${IN_WORDS.get(order) ?? ''} within ${windowInWords(view.params.get('window_seconds'))}.`}
      </p>
      <ol class="funnel">
        {all.steps.map((step, place) => (
          <li>
            <div class="funnel-name">
              {isAnyOrder(view) ? (
                <span>{labels[place]}</span>
              ) : (
                <a href={hrefTo(view, `${home}/events`, { event: step.event })}>
                  <bdi title={step.event}>{step.event}</bdi>
                </a>
              )}
              <span class="number">
                <strong>
                  <Figure value={step.users} />
                </strong>{' '}
                <span class="hint">{toPercent(step.conversion_from_start)}</span>
              </span>
            </div>
            <StepBar step={step} previous={all.steps[place - 1]} />
            {place > 0 && <Loss step={step} previous={all.steps[place - 1]} isLargest={place === leak} />}
            {unknown.has(step.event) && (
              <p class="fault">No event with this name in this period. Check its spelling.</p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** How long the bar is, and behind it how long that of the step before was. */
function StepBar({ step, previous }: { step: FunnelStep; previous: FunnelStep | undefined }) {
  return (
    <svg class="funnel-bar" aria-hidden="true">
      {previous && <rect class="lost" width={`${previous.conversion_from_start.toFixed(2)}%`} height="100%" rx="4" />}
      <rect
        width={`${Math.max(step.users > 0 ? 0.5 : 0, step.conversion_from_start).toFixed(2)}%`}
        height="100%"
        rx="4"
      />
    </svg>
  )
}

interface LossShown {
  readonly step: FunnelStep
  readonly previous: FunnelStep | undefined
  readonly isLargest: boolean
}

function Loss({ step, previous, isLargest }: LossShown) {
  const before = previous?.users ?? 0
  if (before === 0) return null
  const lost = before - step.users
  const [median, average] = [step.median_seconds, step.average_seconds]
  return (
    <p class="funnel-notes">
      <span>{`${toPercent(step.conversion_from_previous)} of the previous step`}</span>
      {lost > 0 && (
        <span class={isLargest ? 'change down' : undefined}>
          {`Drop-off ${toCount(lost)} (${toShare(lost, before)})${isLargest ? ' · biggest' : ''}`}
        </span>
      )}
      {median !== null && average !== null && (
        <span>{`Median time ${toDuration(median)} · avg ${toDuration(average)}`}</span>
      )}
    </p>
  )
}

/** The step before which most users were lost; of two there is no choice. */
function largestLoss(steps: readonly FunnelStep[]): number | null {
  if (steps.length < 3) return null
  const losses = steps.map(({ users }, place) => (steps[place - 1]?.users ?? users) - users)
  const most = Math.max(...losses)
  return most > 0 ? losses.indexOf(most) : null
}
