import type { QueryParams } from '../../../http/params.ts'
import { changePercent } from '../../../questions/engine/change.ts'
import { knownChange, previousPeriod } from '../../figures/comparison.ts'
import { NearestName, Nothing } from '../../figures/empty.tsx'
import type { UsersHref } from '../../figures/figure-users.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { chosenTab, Tabs } from '../../forms/tabs.tsx'
import type { View } from '../../request/address.ts'
import { FunnelGroups } from './groups.tsx'
import { type FunnelFigures, headlinesOf, percentOf, usersOf } from './question.ts'
import { FunnelSteps } from './steps.tsx'
import { ConversionTimes } from './times.tsx'
import { type FunnelTrend, TrendPlot } from './trend.tsx'

const TREND = 'trend'
const TIME = 'time'
const TABS = [
  { name: 'steps', label: 'Steps' },
  { name: TREND, label: 'Trend' },
  { name: TIME, label: 'Time to convert' },
]

export function isTrend(view: Pick<View, 'params'>): boolean {
  return chosenTab(view, TABS).name === TREND
}

interface FiguresShown extends FunnelFigures {
  readonly view: View
  readonly home: string
  readonly query: QueryParams
  readonly usersHref: UsersHref
  /** Null where nobody asked for it, or where the period is too short. */
  readonly trend: FunnelTrend | null
  /** Names that occurred in the period. */
  readonly names: readonly string[]
  /** Steps that did not occur in the period, if that is known. */
  readonly unknown: ReadonlySet<string>
}

export function FunnelResult(shown: FiguresShown) {
  const { all, view, trend } = shown
  const { name: tab } = chosenTab(view, TABS)
  if (usersOf(all, 0) === 0) return <Nobody {...shown} first={all.steps[0]?.event ?? ''} />
  return (
    <>
      <Headlines {...shown} />
      <section class="card result" id="result">
        <Tabs view={view} label="Result" id="result" tabs={TABS} />
        {tab === 'steps' && <FunnelSteps {...shown} steps={all.steps} />}
        {tab === TIME && <ConversionTimes {...all.time} />}
        {tab === TREND && !trend && <p>Conversion over time needs a longer period.</p>}
        {tab === TREND && trend && <TrendPlot {...shown} trend={trend} />}
      </section>
      {shown.groups.length > 0 && <FunnelGroups {...shown} />}
    </>
  )
}

function Headlines({ view, usersHref, all, isComparable, before }: FiguresShown) {
  const beganBefore = before && usersOf(before, 0)
  const points = before && beganBefore ? percentOf(all) - percentOf(before) : null
  const entered = beganBefore ? Math.round(changePercent(usersOf(all, 0), beganBefore)) : null
  const changes = [points, entered, all.isNew ? null : all.change].map((change) =>
    knownChange(isComparable, before, change),
  )
  const stats = headlinesOf(all, usersHref).map((figure, place) => ({ ...figure, change: changes[place] }))
  return <StatTiles vs={previousPeriod(view)} stats={stats} />
}

function Nobody({ view, names, unknown, first }: FiguresShown & { first: string }) {
  const isUnknown = unknown.has(first)
  return (
    <Nothing view={view} title="Nobody entered this funnel">
      {isUnknown ? 'No event in this period has the name ' : 'Nobody did the first step in this period: '}
      <bdi>{first}</bdi>.{isUnknown && ' Check its spelling: names are case-sensitive.'}
      {isUnknown && <NearestName view={view} param="events" name={first} names={names} />}
    </Nothing>
  )
}
