import type { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import type { CardFigures } from '../../figures/card-figures.ts'
import { averageOf } from '../../figures/totals-text.ts'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toCount } from '../../words/format.ts'

export function drawActivity({ xValues, yValues }: AnswerTo<typeof getUserActivityRoute>, view: View): CardFigures {
  const of = (name: string) => yValues.find((series) => series.name === name)
  const [active, fresh] = [of('dau'), of('new')]
  return {
    headlines: [
      { label: 'Daily active users, average', value: averageOf(active?.data ?? [], view) ?? '–' },
      { label: 'Active users in the period', value: toCount(active?.key_value ?? 0) },
      { label: 'New users in the period', value: toCount(fresh?.key_value ?? 0) },
    ],
    chart: {
      labels: xValues.data,
      lines: [
        { name: 'Active users', group: null, data: active?.data ?? [], total: null },
        { name: 'New users', group: null, data: fresh?.data ?? [], total: null },
      ],
      toText: toCount,
    },
    list: null,
  }
}
