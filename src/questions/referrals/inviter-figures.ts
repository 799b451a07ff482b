import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { type Cohort, OUTSIDER } from '../acquisition/cohort.ts'
import { type AcquiredUsers, acquiredGroups, type CohortFiguresQuery, countFigures } from '../acquisition/figures.ts'
import type { Report } from '../engine/report.ts'
import { type Inviters, invitedUsers, UNINVITED } from './invited.ts'

export interface InviterFiguresQuery extends CohortFiguresQuery {
  readonly by: UserProperty
  readonly inviters: Inviters
}

/** What users of a period did after they were invited, per inviter, and of all these users last. */
export const inviterFiguresReport: Report<InviterFiguresQuery, readonly AcquiredUsers[], readonly AcquiredUsers[]> = {
  name: 'figures of inviters',
  isLarge: () => true,
  part: (columns, query) => countFigures(columns, invitedCohort(columns, query), query),
  result: acquiredGroups,
}

function invitedCohort(columns: Columns, query: Pick<InviterFiguresQuery, 'by' | 'inviters'> & Period): Cohort {
  const { inviters, isInvited } = invitedUsers(columns, query.by, query.inviters)
  const { times } = columns.firstTouches
  const { from, to } = spanOf(columns.calendar, query)
  const groupOf = inviters.map((inviter, user) => {
    const first = times[user] as number
    return inviter !== UNINVITED && first >= from && first < to && isInvited(user) ? inviter : OUTSIDER
  })
  return { groupOf, count: query.inviters.ids.length + 1 }
}
