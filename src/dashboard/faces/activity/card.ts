import type { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { type CardFigures, saidChange } from '../../figures/card-figures.ts'
import { COUNT, RATIO } from '../../figures/declared.ts'
import { averageOf } from '../../figures/totals-text.ts'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import type { CardUsers } from '../face.ts'

const SERIES = [
  { series: 'dau', name: 'Active users' },
  { series: 'new', name: 'New users' },
] as const

export function drawActivity(
  { xValues, yValues }: AnswerTo<typeof getUserActivityRoute>,
  view: View,
  usersOf: CardUsers,
): CardFigures {
  const found = SERIES.map((one) => ({ ...one, ...yValues.find(({ name }) => name === one.series), name: one.name }))
  return {
    headlines: [
      { label: 'Daily active users, average', unit: RATIO, value: averageOf(found[0]?.data ?? [], view) },
      ...found.map(({ series, name, key_value: value = 0, change }) => ({
        label: `${name} in the period`,
        unit: COUNT,
        value,
        change: saidChange(change),
        users: usersOf({ series }),
      })),
    ],
    chart: {
      labels: xValues.data,
      lines: found.map(({ series, name, data = [] }) => ({
        name,
        group: null,
        data,
        total: null,
        usersAt: (day: string) => usersOf({ series, day }),
      })),
      unit: COUNT,
      isOpen: endsToday(view),
    },
  }
}
