import { resolvePeriod } from '../../base/time/period.ts'
import type { CellOf, ParamsOf } from '../engine/contract.ts'
import { type EventUsersQuery, findEventUsers, onDay } from '../engine/event-users.ts'
import type { FigureUsers } from '../engine/figures.ts'
import type { nameFigures } from './contract.ts'

/** Users of an event. */
export const nameUsers: FigureUsers<ParamsOf<typeof nameFigures>, CellOf<typeof nameFigures>, EventUsersQuery> = {
  toQuery: ({ filters, ...params }, { name }, { today }) => ({
    event: name,
    filters,
    groupBy: [],
    group: null,
    isFirstTime: false,
    ...onDay(resolvePeriod(params, today), undefined),
  }),
  find: findEventUsers,
}
