import { changePercent } from '../../../questions/change.ts'
import { NO_EARLIER_DATA, previousPeriod } from '../../comparison.ts'
import { Nothing } from '../../components/empty.tsx'
import { StatTiles } from '../../components/stat-tiles.tsx'
import { toCount, toShare } from '../../format.ts'
import type { View } from '../../view.ts'
import { FunnelGroups } from './groups.tsx'
import type { FunnelFigures, ShownFunnel } from './question.ts'
import { FunnelSteps } from './steps.tsx'

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

function usersOf({ steps }: ShownFunnel, place: number): number {
  return steps.at(place)?.users ?? 0
}

function conversionOf(funnel: ShownFunnel): string {
  return toShare(usersOf(funnel, -1), usersOf(funnel, 0))
}

function percentOf(funnel: ShownFunnel): number {
  return (usersOf(funnel, -1) / usersOf(funnel, 0)) * 100
}

function Headlines({ view, all, isComparable, before }: FiguresShown) {
  const note = isComparable ? {} : { note: NO_EARLIER_DATA }
  const [began, beganBefore] = [usersOf(all, 0), before && usersOf(before, 0)]
  return (
    <StatTiles
      vs={previousPeriod(view)}
      stats={[
        {
          label: 'Conversion',
          hint: 'Users of the last step, in percent of users of the first step',
          value: conversionOf(all),
          change: before && beganBefore ? percentOf(all) - percentOf(before) : null,
          unit: 'pp',
          ...note,
        },
        {
          label: 'Entered',
          hint: 'Users of the first step',
          value: toCount(began),
          change: beganBefore === null ? null : Math.round(changePercent(began, beganBefore)),
          isNew: beganBefore === 0,
          ...note,
        },
        {
          label: 'Converted',
          hint: 'Users of the last step',
          value: toCount(usersOf(all, -1)),
          change: before && all.change,
          isNew: all.isNew,
          ...note,
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
    <Nothing view={view} title="Nobody entered this funnel">
      {unknown.has(first) ? 'No event in this period has the name ' : 'Nobody did the first step in this period: '}
      <bdi>{first}</bdi>.{unknown.has(first) && ' Check its spelling: names are case-sensitive.'}
    </Nothing>
  )
}
