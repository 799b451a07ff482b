import { COUNT } from '../../figures/declared.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { commonQuery, daysOf } from '../../request/address.ts'
import { type HomeShown, seriesOf } from './question.ts'

const PARTS = [
  { name: 'New', series: 'new' },
  { name: 'Resurrected', series: 'resurrected' },
  { name: 'Returning', series: 'returning' },
  { name: 'Dormant', series: 'dormant', isBelow: true },
] as const

/** Draws users who came above zero, and those who stayed away below. A single day has no growth. */
export function Growth({ view, home, answer: { activity } }: HomeShown) {
  if (daysOf(view) === 1) return null
  const usersHref = usersHrefOf(home, '/users/activity', commonQuery(view))
  return (
    <Plot
      title="Growth"
      kind="stack"
      {...dayLabels(activity.xValues.data, view)}
      unit={COUNT}
      series={PARTS.map(({ series, ...part }) => ({
        ...part,
        data: seriesOf(activity, series).data,
        usersAt: (day: string) => usersHref({ series, day }),
      }))}
    />
  )
}
