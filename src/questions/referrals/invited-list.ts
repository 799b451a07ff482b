import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { Report } from '../engine/report.ts'
import { type Inviters, invitedUsers, UNINVITED } from './invited.ts'
import { USERS_A_STEP } from './referrers.ts'

/** A question for a page of the users whom a user invited. */
export interface InvitedListQuery {
  readonly by: UserProperty
  /** The inviter, the only one. */
  readonly inviters: Inviters
  readonly limit: number
  readonly offset: number
}

interface InvitedUser {
  readonly telegramId: number
  /** The time of the user's first event, in milliseconds since 1970 UTC. */
  readonly time: number
}

interface InvitedList {
  /** Newest first, ties by messenger id. From objects: all up to the end of the page. */
  readonly users: readonly InvitedUser[]
  /** The number of users on all pages. */
  readonly total: number
}

export const invitedListReport: Report<InvitedListQuery, InvitedList, InvitedList> = {
  name: 'users whom a user invited',
  part: listInvited,
  result: (parts, { limit, offset }) => ({
    users: newestOf(parts.flatMap(({ users }) => users)).slice(offset, offset + limit),
    total: parts.reduce((sum, { total }) => sum + total, 0),
  }),
}

function* listInvited(
  columns: Columns,
  { by, limit, offset, ...query }: InvitedListQuery,
): Generator<void, InvitedList> {
  const { inviters, isInvited } = invitedUsers(columns, by, query.inviters)
  const { times } = columns.firstTouches
  const users: InvitedUser[] = []
  for (let user = 0; user < inviters.length; user++) {
    if (user % USERS_A_STEP === USERS_A_STEP - 1) yield
    if (inviters[user] === UNINVITED || !isInvited(user)) continue
    users.push({ telegramId: columns.telegramIdOf(user), time: times[user] as number })
  }
  return { users: newestOf(users).slice(0, offset + limit), total: users.length }
}

function newestOf(users: readonly InvitedUser[]): readonly InvitedUser[] {
  return users.toSorted((a, b) => b.time - a.time || a.telegramId - b.telegramId)
}
