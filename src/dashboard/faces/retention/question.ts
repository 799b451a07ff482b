import { INTERVALS, type Interval } from '../../../base/time/intervals.ts'
import { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { fittingInterval } from '../../figures/fitting-interval.ts'
import type { View } from '../../request/address.ts'
import { pageQuestion } from '../../request/page-question.ts'

/** The question of the page; its default interval fits the period. */
export const retention = pageQuestion(analyzeRetentionRoute, ({ period }) => ({ interval: fittingInterval(period) }))

export function intervalOf(view: View): Interval {
  const { interval } = retention.query(view)
  return INTERVALS.find((name) => name === interval) ?? fittingInterval(view.period)
}
