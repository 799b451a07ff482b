import { changePercent } from '../../../questions/change.ts'
import type { FunnelStep } from '../../../questions/funnels/contract.ts'
import { namesIn } from '../../../questions/saved/contract.ts'
import { hrefTo, hrefWith, type View } from '../../address.ts'
import { NO_EARLIER_DATA, previousPeriod } from '../../comparison.ts'
import { DidYouMean } from '../../components/did-you-mean.tsx'
import { Nothing } from '../../components/empty.tsx'
import { MAX_GROUPS } from '../../components/question-form.tsx'
import { Change, StatTiles } from '../../components/stat-tiles.tsx'
import { Figure, ListTable, numberColumn, UsersLink } from '../../components/table.tsx'
import { type UsersHref, usersOfGroup } from '../../figure-users.ts'
import { toCount, toDuration, toPercent, toShare } from '../../format.ts'
import { labelOfGroup, labelOfGrouping } from '../../labels.ts'
import { type FunnelFigures, isAnyOrder, type ShownFunnel } from './question.ts'
import { windowInWords } from './window.ts'

interface FiguresShown extends FunnelFigures {
  readonly view: View
  readonly home: string
  readonly properties: readonly string[]
  readonly usersHref: UsersHref
  /** Steps that did not occur in the period, where that is known. */
  readonly unknown: ReadonlySet<string>
  /** Those that occurred. */
  readonly names: readonly string[]
}

export function FunnelResult(shown: FiguresShown) {
  const { all, view, unknown } = shown
  if (usersOf(all, 0) === 0)
    return <Nobody view={view} first={all.steps[0]?.event ?? ''} unknown={unknown} names={shown.names} />
  return (
    <>
      <Headlines {...shown} />
      <FunnelSteps {...shown} />
      {shown.groups.length > 0 && <FunnelGroups {...shown} />}
    </>
  )
}

function usersOf({ steps }: ShownFunnel, place: number): number {
  return steps.at(place)?.users ?? 0
}

function conversionOf(funnel: ShownFunnel): string {
  return toShare(usersOf(funnel, -1), usersOf(funnel, 0))
}

function percentOf(funnel: ShownFunnel): number {
  return (usersOf(funnel, -1) / usersOf(funnel, 0)) * 100
}

function Headlines({ view, all, isComparable, before, usersHref }: FiguresShown) {
  const note = isComparable ? {} : { note: NO_EARLIER_DATA }
  const [began, beganBefore] = [usersOf(all, 0), before && usersOf(before, 0)]
  return (
    <StatTiles
      vs={previousPeriod(view)}
      stats={[
        {
          label: 'Conversion',
          hint: 'Percentage of users of the first step who reach the last one',
          value: conversionOf(all),
          change: before && beganBefore ? percentOf(all) - percentOf(before) : null,
          unit: 'pp',
          ...note,
        },
        {
          label: 'Entered',
          hint: 'Users of the first step',
          value: toCount(began),
          users: usersHref({ step: 1 }),
          change: beganBefore === null ? null : Math.round(changePercent(began, beganBefore)),
          isNew: beganBefore === 0,
          ...note,
        },
        {
          label: 'Converted',
          hint: 'Users of the last step',
          value: toCount(usersOf(all, -1)),
          users: usersOf(all, -1) > 0 ? usersHref({ step: all.steps.length }) : undefined,
          change: before && all.change,
          isNew: all.isNew,
          ...note,
        },
      ]}
    />
  )
}

interface NobodyShown extends Pick<FiguresShown, 'view' | 'unknown' | 'names'> {
  readonly first: string
}

function Nobody({ view, first, unknown, names }: NobodyShown) {
  return (
    <Nothing view={view} title="Nobody entered this funnel">
      {unknown.has(first) ? 'No event in this period has the name ' : 'Nobody did the first step in this period: '}
      <bdi>{first}</bdi>.{unknown.has(first) && ' Check its spelling: names are case-sensitive.'}
      {unknown.has(first) && (
        <DidYouMean typed={first} names={names} hrefOf={(name) => hrefWithStep(view, first, name)} />
      )}
    </Nothing>
  )
}

function hrefWithStep(view: View, typed: string, name: string): string {
  const events = namesIn(view, 'events').map((event) => (event === typed ? name : event))
  return hrefWith(view, { events })
}

const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ['ordered', 'in sequence'],
  ['strict', 'in strict order'],
  ['any', 'in any order'],
])

function FunnelSteps({ view, home, all, labels, unknown, names, usersHref }: FiguresShown) {
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
                  <Figure value={step.users} users={usersHref({ step: step.step })} />
                </strong>{' '}
                <span class="hint">{toPercent(step.conversion_from_start)}</span>
              </span>
            </div>
            <StepBar step={step} previous={all.steps[place - 1]} />
            {place > 0 && (
              <Loss
                step={step}
                previous={all.steps[place - 1]}
                isLargest={place === leak}
                users={usersHref({ step: place, stopped: true })}
              />
            )}
            {unknown.has(step.event) && (
              <p class="fault">
                No event with this name in this period. Check its spelling.
                <DidYouMean typed={step.event} names={names} hrefOf={(name) => hrefWithStep(view, step.event, name)} />
              </p>
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
  /** The list of those who were lost. */
  readonly users: string
}

function Loss({ step, previous, isLargest, users }: LossShown) {
  const before = previous?.users ?? 0
  if (before === 0) return null
  const lost = before - step.users
  const [median, average] = [step.median_seconds, step.average_seconds]
  return (
    <p class="funnel-notes">
      <span>{`${toPercent(step.conversion_from_previous)} of the previous step`}</span>
      {lost > 0 && (
        <span class={isLargest ? 'change down' : undefined}>
          <UsersLink users={users}>
            {`Drop-off ${toCount(lost)} (${toShare(lost, before)})${isLargest ? ' · biggest' : ''}`}
          </UsersLink>
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

function FunnelGroups({ view, labels, groups, before, properties, usersHref }: FiguresShown) {
  const title = labelOfGrouping(properties)
  return (
    <section class="card">
      <h2>{`By ${title}`}</h2>
      <ListTable
        label={`Funnel by ${title}`}
        kind="compared"
        isTall
        columns={[
          { label: title, class: 'pinned' },
          ...labels.map((label, place) =>
            numberColumn(<bdi title={label}>{isAnyOrder(view) ? label : `${place + 1}. ${label}`}</bdi>),
          ),
          ...(before ? [numberColumn('Converted, change')] : []),
        ]}
      >
        {groups.map(({ name, steps, change, isNew }) => (
          <tr>
            <th scope="row" class="pinned">
              <bdi title={labelOfGroup(properties, name)}>{labelOfGroup(properties, name)}</bdi>
            </th>
            {steps.map(({ users, step, conversion_from_start: conversion }, place) => (
              <td class="number">
                {place > 0 && <strong>{toPercent(conversion)} </strong>}
                <span class={place > 0 ? 'hint' : undefined}>
                  <Figure value={users} users={usersOfGroup(usersHref, { step }, properties, name)} />
                </span>
              </td>
            ))}
            {before && (
              <td class="number">
                <Change ifNew="New" change={change} isNew={isNew} />
              </td>
            )}
          </tr>
        ))}
      </ListTable>
      <p class="hint">
        {`Conversion rate from the group's first step, then users. Each user counts in one group: that of the attempt that got furthest.`}
        {before && ` Change: vs ${previousPeriod(view)}.`}
        {groups.length === MAX_GROUPS && ` Top ${MAX_GROUPS} groups by conversions.`}
      </p>
    </section>
  )
}
