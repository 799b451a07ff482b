import { precedingPeriod } from '../../../base/time/period.ts'
import { knownChange, previousPeriod } from '../../figures/comparison.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { type Stat, StatTiles } from '../../figures/stat-tiles.tsx'
import { commonQuery, hrefWith, type View } from '../../request/address.ts'
import type { HomeMetric } from './metrics.ts'
import { type DailyAnswer, dailySeries, type HomeShown, seriesOf } from './question.ts'

/** Six figures; a click on one draws it. */
export function MetricTiles({ view, home, answer }: HomeShown) {
  const usersHref = usersHrefOf(home, '/users/activity', commonQuery(view))
  const stats = answer.metrics.map(
    (metric): Stat => ({
      ...metric,
      href: `${hrefWith(view, { metric: metric.name === 'users' ? null : metric.name })}#chart`,
      here: `metric-${metric.name}`,
      isCurrent: metric.name === answer.metric.name,
      value: dailySeries(metric, answer)?.key_value ?? null,
      users: metric.users && usersHref({ series: metric.users }),
      change: changeOf(view, answer, metric),
      isPoints: metric.name === 'dau_mau',
    }),
  )
  return <StatTiles isRow vs={previousPeriod(view)} stats={stats} />
}

/** Stickiness changes by points. The daily figures of the others say their change themselves. */
function changeOf(view: View, answer: HomeShown['answer'], metric: HomeMetric): Stat['change'] {
  const { before } = answer.compared
  const now = dailySeries(metric, answer)
  if (!now) return undefined
  const points = now.key_value - ((before && dailySeries(metric, before)?.key_value) ?? 0)
  const isFromNothing = isNobody(before?.activity) || isNewFor(metric, answer)
  const change = isFromNothing ? null : metric.name === 'dau_mau' ? points : now.change
  return knownChange(isComparable(view, answer, metric), before, change)
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
