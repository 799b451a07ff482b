import { type Period, resolvePeriod } from '../../base/time/period.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { CellOf, ParamsOf } from '../engine/contract.ts'
import type { FigureUsers } from '../engine/figures.ts'
import type { frequencyFigures } from './contract.ts'
import { activeDaysOf } from './user-frequency.ts'

interface FrequencyUsersQuery {
  readonly filters: readonly Filter[]
  readonly period: Period
  /** Null for any number of days. */
  readonly days: number | null
}

/** Users who were active on so many days. */
export const frequencyUsers: FigureUsers<
  ParamsOf<typeof frequencyFigures>,
  CellOf<typeof frequencyFigures>,
  FrequencyUsersQuery
> = {
  toQuery: ({ filters, ...params }, { days = null }, { today }) => ({
    filters,
    period: resolvePeriod(params, today),
    days,
  }),
  *find(columns, { days, ...query }) {
    const counts = yield* activeDaysOf(columns, query)
    return Uint8Array.from(counts, (count) => Number(days === null ? count > 0 : count === days))
  },
}
