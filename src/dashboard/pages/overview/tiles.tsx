import { precedingPeriod } from '../../../base/time/period.ts'
import { previousPeriod } from '../../figures/comparison.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { type Stat, StatTiles } from '../../figures/stat-tiles.tsx'
import { commonQuery, hrefWith, type View } from '../../request/address.ts'
import type { HomeMetric } from './metrics.ts'
import { type DailyAnswer, dailySeries, type HomeShown, seriesOf } from './question.ts'

/** Six figures; a click on one draws it. */
export function MetricTiles({ view, home, answer }: HomeShown) {
  const usersHref = usersHrefOf(home, '/users/activity', commonQuery(view))
  const stats = answer.metrics.map((metric): Stat => {
    const isPoints = metric.name === 'dau_mau'
    return {
      ...metric,
      href: `${hrefWith(view, { metric: metric.name === 'users' ? null : metric.name })}#chart`,
      here: `metric-${metric.name}`,
      isCurrent: metric.name === answer.metric.name,
      value: dailySeries(metric, answer)?.key_value ?? null,
      users: metric.users && usersHref({ series: metric.users }),
      change: changeOf(view, answer, metric),
      isPoints,
    }
  })
  return <StatTiles isRow vs={previousPeriod(view)} stats={stats} />
}

/** Stickiness changes by points. The daily figures of the others say their change themselves. */
function changeOf(view: View, answer: HomeShown['answer'], metric: HomeMetric): Stat['change'] {
  const { before } = answer.compared
  const now = dailySeries(metric, answer)
  if (!isComparable(view, answer, metric)) return null
  if (!before || !now) return undefined
  if (isNobody(before.activity) || isNewFor(metric, answer)) return null
  return metric.name === 'dau_mau' ? now.key_value - (dailySeries(metric, before)?.key_value ?? 0) : now.change
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
