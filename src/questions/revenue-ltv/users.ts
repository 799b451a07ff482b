import { spanOf } from '../../base/time/calendar.ts'
import { boundsOf } from '../../base/time/intervals.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { countedBy } from '../engine/figures.ts'
import { createPace } from '../engine/pace.ts'
import { intervalsAt } from '../retention/finished.ts'
import { cohortCellOf, cohortsOf, usersOf } from '../retention/users.ts'
import { createChargeReader, onlyCurrency } from '../revenue/charges.ts'
import { ltvFigures } from './contract.ts'

/** The users of a cohort, or those of them who have paid by the end of an interval. */
export const ltvUsers = countedBy(ltvFigures, {
  toQuery(params, cell, { today, revenueRules: rules }) {
    const { interval, filters, currency = '', group_by: grouped } = params
    const bounds = boundsOf(resolvePeriod(params, today), interval, today)
    const groupBy = cell.group ? (grouped[0]?.property ?? null) : null
    const groups = cell.group ? [cell.group] : null
    const cohorts = { startEvent: null, returnEvent: null, mode: 'n', filters, groupBy, bounds, groups } as const
    return { ltv: { cohorts, rules, currency }, ...cohortCellOf(cell, intervalsAt(cohorts, today)) }
  },
  *find(columns, { ltv: { cohorts: query, rules, currency }, cohort, offset, rows }, bounds) {
    const { cohorts, timetable } = yield* cohortsOf(columns, query, bounds)
    const all = usersOf(cohorts, cohort)
    if (offset === null) return all
    const reader = createChargeReader({ columns, rules, filters: [], ordinalOf: onlyCurrency(currency) })
    const found = new Uint8Array(columns.userCount)
    const pace = createPace()
    for (const day of timetable.days) {
      const interval = timetable.intervalOf(day)
      for (const slice of columns.slicesOf(reader.names, spanOf(columns.calendar, { from: day, to: day }))) {
        yield* reader.prepare(slice)
        for (const charges of reader.of(slice)) {
          if (charges.isRefund) continue
          const users = charges.users()
          for (let at = 0; at < charges.length; at++) {
            const user = users[at] as number
            const own = cohorts.intervals[user] as number
            if (all[user] === 1 && own < rows && interval - own <= offset) found[user] = 1
          }
        }
        if (pace.isDue(slice.to - slice.from)) yield
      }
    }
    return found
  },
})
