import { resolvePeriod } from '../../base/time/period.ts'
import type { CellOf, ParamsOf } from '../engine/contract.ts'
import { toEventName } from '../engine/event-name.ts'
import { type EventUsersQuery, findEventUsers, onDay } from '../engine/event-users.ts'
import type { FigureUsers } from '../engine/figures.ts'
import type { segmentFigures } from './contract.ts'

/** Users with an event on a day, or in the period. */
export const segmentUsers: FigureUsers<
  ParamsOf<typeof segmentFigures>,
  CellOf<typeof segmentFigures>,
  EventUsersQuery
> = {
  toQuery(params, { day, group = null }, { today }) {
    const { event = params.event_type, filters, group_by: groupBy } = params
    const period = onDay(resolvePeriod(params, today), day)
    return { event: toEventName(event), filters, groupBy, group, isFirstTime: false, ...period }
  },
  find: findEventUsers,
}
