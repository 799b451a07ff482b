import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { claimsOf } from './claims.ts'

/** Inviters; arrays have one item per inviter. */
export interface Inviters {
  readonly ids: Float64Array
  /** The times of the inviters' first events: users who came earlier were not invited by them. */
  readonly times: Float64Array
  /** A user who names the inviter but, being in a loop with them, was not invited; 0 for none. */
  readonly exceptions: Float64Array
}

/** The user names none of the inviters. */
export const UNINVITED = -1

export interface InvitedUsers {
  /** Per user: the index of the inviter whom they name, or `UNINVITED`. */
  readonly inviters: Int32Array
  /** Whether the inviter whom a user names did invite them. */
  readonly isInvited: (user: number) => boolean
}

export function invitedUsers(columns: Columns, by: UserProperty, { ids, times, exceptions }: Inviters): InvitedUsers {
  const { codes, referrers } = claimsOf(columns, by)
  const indexes = new Map(Array.from(ids, (id, index) => [id, index]))
  const byCode = Int32Array.from(referrers, (id) => indexes.get(id) ?? UNINVITED)
  const { times: firsts } = columns.firstTouches
  const length = Math.min(columns.userCount, firsts.length)
  const inviters = new Int32Array(columns.userCount).fill(UNINVITED)
  for (let user = 0; user < length; user++) {
    if (Number.isFinite(firsts[user])) inviters[user] = byCode[codes[user] as number] as number
  }
  return {
    inviters,
    isInvited(user) {
      const inviter = inviters[user] as number
      const id = columns.telegramIdOf(user)
      return (times[inviter] as number) <= (firsts[user] as number) && id !== ids[inviter] && id !== exceptions[inviter]
    },
  }
}
