import { changePercent } from '../reports/change.ts'
import type { FunnelStep } from '../reports/funnels/contract.ts'
import { hrefTo, type View } from './address.ts'
import { Nothing } from './components/nothing.tsx'
import { ShortChange, StatTiles } from './components/stat-tiles.tsx'
import { counted, toCount, toDuration, toPercent, toShare } from './format.ts'
import type { Funnel, FunnelFigures } from './funnel-question.ts'
import { windowInWords } from './funnel-window.ts'
import { labelOfGroup, labelOfGrouping, MAX_GROUPS } from './group-labels.ts'
import { spanBefore, timeBefore } from './time-before.ts'

interface FiguresShown extends FunnelFigures {
  readonly view: View
  readonly home: string
  /** The properties that are grouped by. */
  readonly properties: readonly string[]
  /** Steps that did not occur in the period, where that is known. */
  readonly unknown: ReadonlySet<string>
}

/** How far users got, and where they were lost. */
export function FunnelResult(shown: FiguresShown) {
  const { all, view, unknown } = shown
  if (usersOf(all, 0) === 0) return <Nobody view={view} first={all.steps[0]?.event ?? ''} unknown={unknown} />
  return (
    <>
      <Headlines {...shown} />
      <Steps {...shown} />
      {shown.groups.length > 0 && <Groups {...shown} />}
    </>
  )
}

function usersOf({ steps }: Funnel, place: number): number {
  return steps.at(place)?.users ?? 0
}

function conversionOf(funnel: Funnel): string {
  return toShare(usersOf(funnel, -1), usersOf(funnel, 0))
}

function Headlines({ view, all, before }: FiguresShown) {
  const then = timeBefore(view)
  const [began, beganBefore] = [usersOf(all, 0), before && usersOf(before, 0)]
  return (
    <StatTiles
      stats={[
        {
          label: 'Conversion',
          hint: 'Users who got to the last step, in percent of those of the first',
          value: conversionOf(all),
          change: null,
          before: then,
          ...(beganBefore && before && { note: `${conversionOf(before)} ${then}` }),
        },
        {
          label: 'Began',
          hint: 'Users of the first step',
          value: toCount(began),
          change: beganBefore === null ? null : Math.round(changePercent(began, beganBefore)),
          before: then,
          isNew: beganBefore === 0,
        },
        {
          label: 'Completed',
          hint: 'Users of the last step',
          value: toCount(usersOf(all, -1)),
          change: all.change,
          before: then,
          isNew: all.isNew,
        },
      ]}
    />
  )
}

/** Steps in any order have no names: each is one more of the events. */
function isAny({ params }: View): boolean {
  return params.get('order') === 'any'
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ordered: 'in this order',
  strict: 'directly one after another',
  any: 'in any order',
}

function Steps({ view, home, all, labels, unknown }: FiguresShown) {
  const order = view.params.get('order') ?? 'ordered'
  const leak = largestLoss(all.steps)
  return (
    <section class="card">
      <h2>From step to step</h2>
      <p class="hint">
        {`Users who did these ${IN_WORDS[order] ?? ''} within ${windowInWords(view.params.get('window_seconds'))}.`}
      </p>
      <ol class="funnel">
        {all.steps.map((step, place) => (
          <li>
            <div class="funnel-name">
              {isAny(view) ? (
                <span>{labels[place]}</span>
              ) : (
                <a href={hrefTo(view, `${home}/events`, { event: step.event })}>
                  <bdi title={step.event}>{step.event}</bdi>
                </a>
              )}
              <span class="number">
                <strong>
                  <data value={String(step.users)}>{toCount(step.users)}</data>
                </strong>{' '}
                <span class="hint">{toPercent(step.conversion_from_start)}</span>
              </span>
            </div>
            <Bar step={step} previous={all.steps[place - 1]} />
            {place > 0 && <Loss step={step} previous={all.steps[place - 1]} isLargest={place === leak} />}
            {unknown.has(step.event) && <p class="fault">No event of this name in the period.</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** How long the bar is, and behind it how long that of the step before was. */
function Bar({ step, previous }: { step: FunnelStep; previous: FunnelStep | undefined }) {
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
      <span>{`${toPercent(step.conversion_from_previous)} of the step before`}</span>
      {lost > 0 && (
        <span class={isLargest ? 'change down' : undefined}>
          {`${counted(lost, 'user')} lost (${toShare(lost, before)})${isLargest ? ', the most' : ''}`}
        </span>
      )}
      {median !== null && average !== null && (
        <span>{`after ${toDuration(median)} (median), ${toDuration(average)} on average`}</span>
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

/** How far each group got, side by side. */
function Groups({ view, labels, groups, properties }: FiguresShown) {
  const title = labelOfGrouping(properties)
  return (
    <section class="card">
      <h2>{`By ${title.toLowerCase()}`}</h2>
      <section class="scroll tall" tabindex={0} aria-label={`Funnel by ${title.toLowerCase()}`}>
        <table class="list compared">
          <thead>
            <tr>
              <th scope="col" class="pinned">
                {title}
              </th>
              {labels.map((label, place) => (
                <th scope="col" class="number">
                  <bdi title={label}>{isAny(view) ? label : `${place + 1}. ${label}`}</bdi>
                </th>
              ))}
              <th scope="col" class="number">
                Completed, change
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, steps, change, isNew }) => (
              <tr>
                <th scope="row" class="pinned">
                  <bdi title={labelOfGroup(properties, name)}>{labelOfGroup(properties, name)}</bdi>
                </th>
                {steps.map(({ users, conversion_from_start: conversion }, place) => (
                  <td class="number">
                    {place > 0 && <strong>{toPercent(conversion)} </strong>}
                    <span class={place > 0 ? 'hint' : undefined}>
                      <data value={String(users)}>{toCount(users)}</data>
                    </span>
                  </td>
                ))}
                <td class="number">
                  <ShortChange change={change} isNew={isNew} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">
        {`In percent of the group's users of the first step, and how many. A user is in one group: that of the attempt that got furthest. Change: against ${spanBefore(view)}.`}
        {groups.length === MAX_GROUPS && ` The ${counted(MAX_GROUPS, 'group')} in which most completed are shown.`}
      </p>
    </section>
  )
}

interface NobodyShown {
  readonly view: View
  readonly first: string
  readonly unknown: ReadonlySet<string>
}

/** Why the funnel is empty, and what to do about it. */
function Nobody({ view, first, unknown }: NobodyShown) {
  return (
    <Nothing view={view} title="Nobody began">
      {unknown.has(first) ? 'No event of this period has the name ' : 'Nobody did the first step in this period: '}
      <bdi>{first}</bdi>.{unknown.has(first) && ' Upper and lower case differ.'}
    </Nothing>
  )
}
