import type { Interval } from '../../../base/time/intervals.ts'
import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { hasOpenInterval, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toCount, toPercent } from '../../words/format.ts'
import { INTERVAL_NAMES } from './triangle.tsx'

export function drawRetention(
  { data: [all] }: AnswerTo<typeof analyzeRetentionRoute>,
  interval: Interval,
  view: View,
): CardFigures {
  const [percents, complete] = [all?.combinedRetention ?? [], all?.combinedComplete ?? []]
  const later = percents[1]
  const isOpen = hasOpenInterval(view, interval)
  const labels = percents.map(
    (_, column) => `${INTERVAL_NAMES[interval]} ${column}${isOpen && !complete[column] ? ' so far' : ''}`,
  )
  return {
    headlines: [
      { label: 'New users', value: toCount(all?.totalUsers ?? 0) },
      ...(later === undefined ? [] : [{ label: labels[1] ?? '', value: toPercent(later) }]),
    ],
    chart: {
      labels,
      lines: [{ name: 'Retention', group: null, data: percents, total: null }],
      toText: toPercent,
    },
    list: null,
  }
}
