import { changePercent } from '../reports/change.ts'
import { Nothing } from './components/nothing.tsx'
import { StatTiles } from './components/stat-tiles.tsx'
import { toCount, toShare } from './format.ts'
import { FunnelGroups } from './funnel-groups.tsx'
import type { Funnel, FunnelFigures } from './funnel-question.ts'
import { FunnelSteps } from './funnel-steps.tsx'
import { timeBefore } from './time-before.ts'
import type { View } from './view.ts'

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
      <FunnelSteps {...shown} />
      {shown.groups.length > 0 && <FunnelGroups {...shown} />}
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
          change: before && all.change,
          before: then,
          isNew: all.isNew,
        },
      ]}
    />
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
