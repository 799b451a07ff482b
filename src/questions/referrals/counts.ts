import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { counts, record, type TotalOf, totalReport } from '../engine/totals.ts'
import { type Inviters, invitedUsers, UNINVITED } from './invited.ts'
import { INVITING_MS, USERS_A_STEP } from './referrers.ts'

export interface InvitedCountsQuery extends Period {
  readonly by: UserProperty
  readonly inviters: Inviters
}

/** Counts with one number per inviter. */
const invitedCounts = record({
  /** Users of the period whom the inviter invited. */
  invited: counts,
  /** Users of the period who name the inviter but were not invited. */
  ignored: counts,
  /** Users invited within 30 days of the inviter's own first event, if that is in the period. */
  soon: counts,
})

type InvitedCounts = TotalOf<typeof invitedCounts>

export const invitedCountsReport = totalReport('invited users by inviter', invitedCounts, countInvited, {
  isLarge: () => true,
})

function* countInvited(columns: Columns, query: InvitedCountsQuery): Generator<void, InvitedCounts> {
  const { times } = query.inviters
  const found = {
    invited: new Uint32Array(times.length),
    ignored: new Uint32Array(times.length),
    soon: new Uint32Array(times.length),
  }
  const { inviters, isInvited } = invitedUsers(columns, query.by, query.inviters)
  yield
  const { times: firsts } = columns.firstTouches
  const { from, to } = spanOf(columns.calendar, query)
  for (let user = 0; user < inviters.length; user++) {
    if (user % USERS_A_STEP === USERS_A_STEP - 1) yield
    const inviter = inviters[user] as number
    const first = firsts[user] as number
    if (inviter === UNINVITED || first < from || first >= to + INVITING_MS) continue
    const isCounted = isInvited(user)
    if (first < to) countOne(isCounted ? found.invited : found.ignored, inviter)
    const began = times[inviter] as number
    const isNew = began >= from && began < to
    if (isCounted && isNew && first - began <= INVITING_MS) countOne(found.soon, inviter)
  }
  return found
}

function countOne(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1
}
