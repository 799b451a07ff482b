import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { type CardFigures, headlineOf } from '../../figures/card-figures.ts'
import { COUNT, PERCENT, soFar } from '../../figures/declared.ts'
import { hasOpenInterval, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { intervalOf } from './question.ts'
import { INTERVAL_NAMES } from './triangle.tsx'

export function drawRetention({ data: [all] }: AnswerTo<typeof analyzeRetentionRoute>, view: View): CardFigures {
  const interval = intervalOf(view)
  const [percents, complete] = [all?.combinedRetention ?? [], all?.combinedComplete ?? []]
  const later = percents[1]
  const isOpen = hasOpenInterval(view, interval)
  const labels = percents.map((_, column) => `${INTERVAL_NAMES[interval]} ${column}`)
  const [, second = ''] = labels
  const secondSoFar = { label: isOpen && !complete[1] ? soFar(second) : second, unit: PERCENT }
  return {
    headlines: [
      headlineOf({ label: 'New users', unit: COUNT }, all?.totalUsers ?? 0),
      ...(later === undefined ? [] : [headlineOf(secondSoFar, later)]),
    ],
    chart: {
      labels,
      lines: [{ name: 'Retention', group: null, data: percents, total: null }],
      unit: PERCENT,
      isOpen,
    },
  }
}
