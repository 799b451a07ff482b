import { precedingPeriod } from '../../../base/time/period.ts'
import { ACTIVE_USERS } from '../../faces/activity/home.ts'
import type { HomeFigure } from '../../faces/home-figure.ts'
import { knownChange, previousPeriod } from '../../figures/comparison.ts'
import { type Stat, StatTiles } from '../../figures/stat-tiles.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import { dailySeries, type HomeShown } from './question.ts'

/** Six figures; a click on one draws it. */
export function FigureTiles({ view, home, answer }: HomeShown) {
  const stats = answer.figures.map(
    (figure): Stat => ({
      ...figure,
      href: `${hrefWith(view, { metric: figure.name === ACTIVE_USERS.name ? null : figure.name })}#chart`,
      here: `metric-${figure.name}`,
      isCurrent: figure.name === answer.figure.name,
      value: dailySeries(figure, answer.answers)?.key_value ?? null,
      users: figure.usersOf?.(view, home)({}),
      change: changeOf(view, answer, figure),
      isPoints: figure.isOfMonths ?? false,
    }),
  )
  return <StatTiles isRow vs={previousPeriod(view)} stats={stats} />
}

/** The daily figures of counts say their change themselves. */
function changeOf(view: View, { answers, compared }: HomeShown['answer'], figure: HomeFigure): Stat['change'] {
  const { query, earlier, before } = compared
  const [now, then] = [dailySeries(figure, answers), dailySeries(figure, before)]
  if (!now) return undefined
  const isFromNobody = dailySeries(ACTIVE_USERS, before)?.key_value === 0
  const isNew = then?.key_value === 0 && now.key_value > 0
  const change = figure.isOfMonths ? now.key_value - (then?.key_value ?? 0) : now.change
  const firstBefore = view.period && precedingPeriod(view.period).from
  const hasMonths = firstBefore !== null && earlier.isBeforeMonthOf(firstBefore)
  const isKnown = query !== null && (!figure.isOfMonths || hasMonths)
  return knownChange(isKnown, before, isFromNobody || isNew ? null : change)
}
