import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { Report } from '../engine/report.ts'
import { type Inviters, invitedUsers, UNINVITED } from './invited.ts'
import { INVITING_MS, USERS_A_STEP } from './referrers.ts'

export interface InvitedCountsQuery extends Period {
  readonly by: UserProperty
  readonly inviters: Inviters
}

/** By inviter. */
interface InvitedCounts {
  /** Users of the period whom they invited; and who name them without having been. */
  readonly invited: Uint32Array
  readonly ignored: Uint32Array
  /** Users whom they invited within 30 days of their own first event, if that is in the period. */
  readonly soon: Uint32Array
}

export const invitedCountsReport: Report<InvitedCountsQuery, InvitedCounts, InvitedCounts> = {
  name: 'invited users by inviter',
  isLarge: () => true,
  part: countInvited,
  result: (parts) => ({
    invited: sumOf(parts.map(({ invited }) => invited)),
    ignored: sumOf(parts.map(({ ignored }) => ignored)),
    soon: sumOf(parts.map(({ soon }) => soon)),
  }),
}

function* countInvited(columns: Columns, query: InvitedCountsQuery): Generator<void, InvitedCounts> {
  const { times } = query.inviters
  const counts = {
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
    if (first < to) countOne(isCounted ? counts.invited : counts.ignored, inviter)
    const began = times[inviter] as number
    const isNew = began >= from && began < to
    if (isCounted && isNew && first - began <= INVITING_MS) countOne(counts.soon, inviter)
  }
  return counts
}

function countOne(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] as number) + 1
}

function sumOf(parts: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(0), ...others] = parts
  return first.map((count, index) => others.reduce((sum, part) => sum + (part[index] as number), count))
}
