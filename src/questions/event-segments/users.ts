import { resolvePeriod } from '../../base/time/period.ts'
import { toEventName } from '../engine/event-name.ts'
import { findEventUsers, onDay } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { segmentFigures } from './contract.ts'

/** The users with an event on a day, or in the whole period. */
export const segmentUsers = countedBy(segmentFigures, {
  toQuery(params, { day, group = null }, { today }) {
    const { event = params.event_type, filters, group_by: groupBy } = params
    const period = onDay(resolvePeriod(params, today), day)
    return { event: toEventName(event), filters, groupBy, group, isFirstTime: false, ...period }
  },
  find: findEventUsers,
})
