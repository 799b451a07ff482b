import { resolvePeriod } from '../../base/time/period.ts'
import { toEventName } from '../engine/event-name.ts'
import { countedBy } from '../engine/figures.ts'
import { cohortOf } from './cohort.ts'
import { acquisitionFigures } from './contract.ts'
import { findFacts } from './figures.ts'

/** The users that acquisition's figures count. */
export const acquiredUsers = countedBy(acquisitionFigures, {
  toQuery(params, { figure, group }, { today, revenueRules: rules }) {
    const { by, filters, activation_event: activation, currency = '' } = params
    return {
      by,
      filters,
      ...resolvePeriod(params, today),
      groups: group === undefined ? [] : [group],
      activation: activation === undefined ? null : { event: toEventName(activation) },
      today,
      charges: { rules, currency },
      figure,
    }
  },
  *find(columns, query) {
    yield* columns.readFirstTouches()
    const cohort = yield* cohortOf(columns, query)
    const { is } = yield* findFacts(columns, query, cohort)
    const isCounted = is[query.figure]
    // The asked group has index 0. If no group is asked for, index 0 means all members.
    return Uint8Array.from(cohort.groupOf, (group, user) => Number(group === 0 && isCounted(user)))
  },
})
