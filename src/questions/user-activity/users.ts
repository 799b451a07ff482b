import { dividedByDay, undivided } from '../../base/time/divided-period.ts'
import { type Period, resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { batchesOf } from '../../columns/selection/batches.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import type { CellOf } from '../engine/contract.ts'
import { findEventUsers } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { createPace } from '../engine/pace.ts'
import { MONTH_DAYS } from '../rollups/daily-figures.ts'
import { activityFigures } from './contract.ts'
import { WEEK_DAYS } from './user-activity.ts'

type ActivityCell = CellOf<typeof activityFigures>

interface ActivityUsersQuery extends Period {
  readonly series: ActivityCell['series']
  readonly filters: readonly Filter[]
}

/** The users who were active on a day, or who came or went on it. */
export const activityUsers = countedBy(activityFigures, {
  toQuery({ filters, ...params }, { series, day }, { today }) {
    const { from, to } = resolvePeriod(params, today)
    // Nobody is dormant on a day that is not over.
    const period = { from, to: series === 'dormant' ? Math.min(to, today - 1) : to }
    return { series, filters, ...daysOf(series, period, day) }
  },
  *find(columns, query) {
    const { series, from, to } = query
    if (series === 'new') return yield* findNewUsers(columns, query)
    const active = yield* findActive(columns, query, { from, to })
    if (series === 'dau' || series === 'wau' || series === 'mau') return active
    const dayBefore = yield* findActive(columns, query, { from: from - 1, to: to - 1 })
    if (series === 'returning') return active.map((is, user) => is & (dayBefore[user] as number))
    if (series === 'dormant') return dayBefore.map((was, user) => was & ~(active[user] as number))
    const isNew = yield* findNewUsers(columns, query)
    return active.map((is, user) => is & ~((dayBefore[user] as number) | (isNew[user] as number)))
  },
})

/** The days that a figure covers; none if its day is outside the period. */
function daysOf(series: ActivityCell['series'], { from, to }: Period, day: number | undefined): Period {
  if (day !== undefined && (day < from || day > to)) return { from: 0, to: -1 }
  const last = day ?? to
  if (series === 'wau') return { from: last - WEEK_DAYS + 1, to: last }
  if (series === 'mau') return { from: last - MONTH_DAYS + 1, to: last }
  return { from: day ?? from, to: last }
}

function findActive(columns: Columns, { filters }: ActivityUsersQuery, days: Period): Generator<void, Uint8Array> {
  const period = undivided(days)
  const asked = { event: null, filters, groupBy: [], group: null, isFirstTime: false, interval: null }
  return findEventUsers(columns, { ...asked, period })
}

/** Users who were active on the day of their first event ever. */
function* findNewUsers(columns: Columns, { filters, from, to }: ActivityUsersQuery): Generator<void, Uint8Array> {
  const firstDays = yield* columns.firstDays()
  const found = new Uint8Array(columns.userCount)
  const asked = { event: null, properties: filters.map(({ property }) => property), needsEvents: false }
  const days = dividedByDay(columns.calendar, { from, to })
  const pace = createPace()
  for (const { interval, rows, looked } of batchesOf(columns, createSelection(columns, { filters }), asked, days)) {
    for (let row = rows.from; row < rows.to; row++) {
      const user = rows.users[row] as number
      if (firstDays[user] === from + interval) found[user] = 1
    }
    if (pace.isDue(looked)) yield
  }
  return found
}
