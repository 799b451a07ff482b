import { toEventName } from '../engine/event-name.ts'
import { findEventUsers } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { trendFigures } from './contract.ts'
import { divide, trendPeriod } from './division.ts'
import { LETTERS } from './formula.ts'

/** The users of a series in an interval, or in the whole period. */
export const trendUsers = countedBy(trendFigures, {
  toQuery(params, { series, interval, group = null }, { calendar, today }) {
    const { event, filters } = params.series[LETTERS.indexOf(series)] as (typeof params.series)[number]
    const { labels, period } = divide(calendar, trendPeriod(params, today), { interval: params.interval })
    const index = interval === undefined ? null : labels.indexOf(interval)
    return {
      event: toEventName(event),
      filters: [...params.filters, ...filters],
      groupBy: params.group_by.map(({ property }) => property),
      group,
      isFirstTime: params.first_time,
      period,
      interval: index,
    }
  },
  find: findEventUsers,
})
