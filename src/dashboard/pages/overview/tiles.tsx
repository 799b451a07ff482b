import { precedingPeriod } from '../../../base/time/period.ts'
import { NO_EARLIER_DATA, previousPeriod } from '../../figures/comparison.ts'
import { type Stat, StatTiles } from '../../figures/stat-tiles.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import type { HomeMetric } from './metrics.ts'
import { type DailyAnswer, dailySeries, type HomeShown, seriesOf } from './question.ts'

/** Six figures; a click on one draws it. */
export function MetricTiles({ view, answer }: HomeShown) {
  const { metrics } = answer
  return <StatTiles isRow vs={previousPeriod(view)} stats={metrics.map((metric) => toStat(view, answer, metric))} />
}

function toStat(view: View, answer: HomeShown['answer'], metric: HomeMetric): Stat {
  const { compared, revenue } = answer
  const now = dailySeries(metric, answer)
  const isFirst = isNobody(compared.before?.activity)
  const isRevenue = metric.name === 'revenue' && revenue
  return {
    label: isRevenue ? `${metric.label}, ${revenue.currency}` : metric.label,
    hint: metric.hint,
    href: `${hrefWith(view, { metric: metric.name === 'users' ? null : metric.name })}#chart`,
    here: `metric-${metric.name}`,
    isCurrent: metric === answer.metric,
    value: now ? metric.toText(now.key_value) : '–',
    ...changeOf(answer, metric),
    isNew: isFirst || isNewFor(metric, answer),
    ...(!isComparable(view, answer, metric) && { note: NO_EARLIER_DATA }),
  }
}

/** Stickiness changes by points. The daily figures of the others say their change themselves. */
function changeOf(answer: HomeShown['answer'], metric: HomeMetric): Pick<Stat, 'change' | 'unit'> {
  const { before } = answer.compared
  const now = dailySeries(metric, answer)
  if (!before || !now) return { change: null }
  if (metric.name !== 'dau_mau') return { change: now.change }
  return { change: now.key_value - (dailySeries(metric, before)?.key_value ?? 0), unit: 'pp' }
}

function isNewFor(metric: HomeMetric, { compared, ...now }: HomeShown['answer']): boolean {
  const then = compared.before && dailySeries(metric, compared.before)
  return then !== null && then.key_value === 0 && (dailySeries(metric, now)?.key_value ?? 0) > 0
}

function isNobody(activity: DailyAnswer | undefined): boolean {
  return activity !== undefined && seriesOf(activity, 'dau').key_value === 0
}

/** The months of the previous period end on its days: all of them have to be known. */
function isComparable({ period }: View, { compared }: HomeShown['answer'], { name }: HomeMetric): boolean {
  const { query, earlier } = compared
  if (query === null) return false
  return name !== 'dau_mau' || (period !== null && earlier.isBeforeMonthOf(precedingPeriod(period).from))
}
