import { COUNT } from '../../figures/declared.ts'
import { Plot } from '../../figures/plot.tsx'
import { dayLabels } from '../../figures/plot-labels.ts'
import { daysOf, type View } from '../../request/address.ts'
import { seriesOf } from '../home-figure.ts'
import { type ActivityAnswer, usersOfActivity } from './home.ts'

const PARTS = [
  { name: 'New', series: 'new' },
  { name: 'Resurrected', series: 'resurrected' },
  { name: 'Returning', series: 'returning' },
  { name: 'Dormant', series: 'dormant', isBelow: true },
] as const

interface GrowthShown {
  readonly view: View
  readonly home: string
  readonly activity: ActivityAnswer
}

/** Who came, and below zero who stayed away. A single day is no growth. */
export function Growth({ view, home, activity }: GrowthShown) {
  if (daysOf(view) === 1) return null
  return (
    <Plot
      title="Growth"
      kind="stack"
      {...dayLabels(activity.xValues.data, view)}
      unit={COUNT}
      series={PARTS.map(({ series, ...part }) => {
        const usersOf = usersOfActivity(series)(view, home)
        return { ...part, data: seriesOf(activity, series).data, usersAt: (day: string) => usersOf({ day }) }
      })}
    />
  )
}
