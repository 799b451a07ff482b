import { spanOf } from '../../base/time/calendar.ts'
import { MS_PER_HOUR } from '../../base/time/days.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { isInShare, type Share } from '../../columns/selection/share.ts'
import { count, greatest, orTooMuch, record, type TotalOf, totalReport } from '../engine/totals.ts'
import { claimsOf, NOBODY } from './claims.ts'
import { INVITING_DAYS } from './contract.ts'

/** Invited users count for the K-factor if they came within this time of the inviter's own first event. */
export const INVITING_MS = INVITING_DAYS * 24 * MS_PER_HOUR

/** A question for the inviters named by users who came in a period, or in time to count for its K-factor. */
export interface ReferrersQuery extends Period {
  readonly by: UserProperty
  /** The share of all messenger ids to look for. */
  readonly share: Share
  /** The most referrers in the answer of one object. */
  readonly most: number
}

const foundReferrers = record({
  /** Distinct messenger ids, of users or not; null if there are too many for one answer. */
  ids: orTooMuch<Float64Array>((a, b) => Float64Array.from(new Set([...a, ...b]))),
  /** Users whose first event is in the period. */
  newUsers: count,
  /** When the last of the new users came, in milliseconds since 1970 UTC; 0 for none. */
  latest: greatest,
})

type Referrers = TotalOf<typeof foundReferrers>

export const referrersReport = totalReport('referrers', foundReferrers, findReferrers, { isLarge: () => true })

/** The number of users read between two yields. */
export const USERS_A_STEP = 32_768

function* findReferrers(columns: Columns, query: ReferrersQuery): Generator<void, Referrers> {
  const { codes, referrers } = claimsOf(columns, query.by)
  const { times } = columns.firstTouches
  const { from, to } = spanOf(columns.calendar, query)
  const isNamed = new Uint8Array(referrers.length)
  let [newUsers, latest] = [0, 0]
  const length = Math.min(columns.userCount, times.length)
  for (let user = 0; user < length; user++) {
    if (user % USERS_A_STEP === USERS_A_STEP - 1) yield
    const time = times[user] as number
    if (time < from || time >= to + INVITING_MS) continue
    isNamed[codes[user] as number] = 1
    if (time >= to) continue
    newUsers += 1
    latest = Math.max(latest, time)
  }
  const ids = referrers.filter((id, code) => isNamed[code] === 1 && id !== NOBODY && isInShare(id, query.share))
  return { ids: ids.length > query.most ? null : ids, newUsers, latest }
}
