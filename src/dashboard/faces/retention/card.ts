import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { COUNT, PERCENT, soFar } from '../../figures/declared.ts'
import { hasOpenInterval, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'
import { intervalOf } from './question.ts'
import { INTERVAL_NAMES } from './triangle.tsx'

export function drawRetention(
  { data: [all] }: AnswerTo<typeof analyzeRetentionRoute>,
  view: View,
  usersOf: CardUsers,
): CardFigures {
  const interval = intervalOf(view)
  const [percents, complete] = [all?.combinedRetention ?? [], all?.combinedComplete ?? []]
  const later = percents[1]
  const isOpen = hasOpenInterval(view, interval)
  const labels = percents.map((_, column) => `${INTERVAL_NAMES[interval]} ${column}`)
  const [, second = ''] = labels
  const cellAt = (offset: number) => ({ offset, ...(isOpen && !complete[offset] && { complete: false }) })
  return {
    headlines: [
      { label: 'New users', unit: COUNT, value: all?.totalUsers ?? 0, users: usersOf({}) },
      ...(later === undefined
        ? []
        : [
            {
              label: isOpen && !complete[1] ? soFar(second) : second,
              unit: PERCENT,
              value: later,
              isPoints: true,
              users: usersOf(cellAt(1)),
            },
          ]),
    ],
    chart: {
      labels,
      lines: [
        {
          name: 'Retention',
          group: null,
          data: percents,
          total: null,
          usersAt: (label) => usersOf(cellAt(labels.indexOf(label))),
        },
      ],
      unit: PERCENT,
      isOpen,
    },
  }
}
