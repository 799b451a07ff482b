import { resolvePeriod } from '../../base/time/period.ts'
import type { CellOf, ParamsOf } from '../engine/contract.ts'
import { toEventName } from '../engine/event-name.ts'
import type { FigureUsers } from '../engine/figures.ts'
import { cohortOf } from './cohort.ts'
import type { AcquiredFigure, acquisitionFigures } from './contract.ts'
import { type AcquisitionFiguresQuery, findFacts } from './figures.ts'

interface AcquiredUsersQuery extends AcquisitionFiguresQuery {
  readonly figure: AcquiredFigure
}

/** New users, and what became of them. */
export const acquiredUsers: FigureUsers<
  ParamsOf<typeof acquisitionFigures>,
  CellOf<typeof acquisitionFigures>,
  AcquiredUsersQuery
> = {
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
    const isMeant = is[query.figure]
    // The only group has the number 0, which without any is that of everybody.
    return Uint8Array.from(cohort.groupOf, (group, user) => Number(group === 0 && isMeant(user)))
  },
}
