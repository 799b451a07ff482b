import { resolvePeriod } from '../../base/time/period.ts'
import { countedBy } from '../engine/figures.ts'
import { frequencyFigures } from './contract.ts'
import { activeDaysOf } from './user-frequency.ts'

/** The users who were active on this number of days, or on any day. */
export const frequencyUsers = countedBy(frequencyFigures, {
  toQuery: ({ filters, ...params }, { days = null }, { today }) => ({
    filters,
    period: resolvePeriod(params, today),
    days,
  }),
  *find(columns, { days, ...query }) {
    const counts = yield* activeDaysOf(columns, query)
    return Uint8Array.from(counts, (count) => Number(days === null ? count > 0 : count === days))
  },
})
