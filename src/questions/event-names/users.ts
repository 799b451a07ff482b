import { resolvePeriod } from '../../base/time/period.ts'
import { findEventUsers, onDay } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { nameFigures } from './contract.ts'

/** The users who had an event in the period. */
export const nameUsers = countedBy(nameFigures, {
  toQuery: ({ filters, ...params }, { name }, { today }) => ({
    event: name,
    filters,
    groupBy: [],
    group: null,
    isFirstTime: false,
    ...onDay(resolvePeriod(params, today), undefined),
  }),
  find: findEventUsers,
})
