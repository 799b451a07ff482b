import type { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { type CardFigures, headlineOf } from '../../figures/card-figures.ts'
import { COUNT, RATIO } from '../../figures/declared.ts'
import { averageOf } from '../../figures/totals-text.ts'
import { endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'

export function drawActivity({ xValues, yValues }: AnswerTo<typeof getUserActivityRoute>, view: View): CardFigures {
  const of = (name: string) => yValues.find((series) => series.name === name)
  const [active, fresh] = [of('dau'), of('new')]
  return {
    headlines: [
      headlineOf({ label: 'Daily active users, average', unit: RATIO }, averageOf(active?.data ?? [], view)),
      headlineOf({ label: 'Active users in the period', unit: COUNT }, active?.key_value ?? 0),
      headlineOf({ label: 'New users in the period', unit: COUNT }, fresh?.key_value ?? 0),
    ],
    chart: {
      labels: xValues.data,
      lines: [
        { name: 'Active users', group: null, data: active?.data ?? [], total: null },
        { name: 'New users', group: null, data: fresh?.data ?? [], total: null },
      ],
      unit: COUNT,
      isOpen: endsToday(view),
    },
  }
}
