import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import type { Filter, UserProperty } from '../../columns/selection/filter.ts'
import { firstRows } from '../../columns/selection/first-rows.ts'
import { createSelection, markPicked } from '../../columns/selection/selection.ts'
import { createPace } from '../engine/pace.ts'

/** Users whose first event is in a period and passes filters, grouped by a user property. */
export interface CohortQuery extends Period {
  readonly by: UserProperty
  readonly filters: readonly Filter[]
}

/** A cohort's users in these groups, by name; all other users of the cohort form one more group. */
export interface GroupsQuery extends CohortQuery {
  readonly groups: readonly string[]
}

/** The `groupOf` of users who are not in the cohort. */
export const OUTSIDER = -1

export interface Cohort {
  /** Per user: the index of their group, the number of these groups for members of any other group, or `OUTSIDER`. */
  readonly groupOf: Int32Array
  /** The number of groups, including the one for members of no named group. */
  readonly count: number
}

/** Counts the cohort's users per property value. */
export function* sizesOf(columns: Columns, query: CohortQuery) {
  const { codes, count, textOf } = codedWhole(columns, query.by)
  const users = new Uint32Array(count)
  for (const user of yield* membersOf(columns, query)) {
    const code = codes[user] as number
    users[code] = (users[code] as number) + 1
  }
  return { users, textOf }
}

export function* cohortOf(columns: Columns, query: GroupsQuery): Generator<void, Cohort> {
  const { codes, count, codeOf } = codedWhole(columns, query.by)
  const others = query.groups.length
  const table = new Int32Array(count).fill(others)
  for (const [index, name] of query.groups.entries()) {
    const code = codeOf(name)
    if (code !== null) table[code] = index
  }
  const groupOf = new Int32Array(columns.userCount).fill(OUTSIDER)
  for (const user of yield* membersOf(columns, query)) groupOf[user] = table[codes[user] as number] as number
  return { groupOf, count: others + 1 }
}

function* membersOf(columns: Columns, query: CohortQuery): Generator<void, Uint32Array> {
  const members = newUsersOf(columns, query)
  return query.filters.length === 0 ? members : yield* passing(columns, query, members)
}

function newUsersOf(columns: Columns, { from, to }: CohortQuery): Uint32Array {
  const span = spanOf(columns.calendar, { from, to })
  const { times } = columns.firstTouches
  const members = new Uint32Array(Math.min(columns.userCount, times.length))
  let count = 0
  for (let user = 0; user < members.length; user++) {
    const time = times[user] as number
    members[count] = user
    count += Number(time >= span.from && time < span.to)
  }
  return members.subarray(0, count)
}

/** Returns the users whose first event passes. Of first events that are no longer stored, only the context is known. */
function* passing(columns: Columns, query: CohortQuery, users: Uint32Array): Generator<void, Uint32Array> {
  const { contexts, times: firsts } = columns.firstTouches
  const selection = createSelection(columns, query)
  const passes = new Uint8Array(columns.userCount)
  const all = { users, contexts: users.map((user) => (contexts[user] as number) - 1) }
  markPicked(selection.pick(all, 0, users.length), passes)
  if (query.filters.every(({ property }) => property.of !== 'params')) return users.filter((user) => passes[user])
  const pace = createPace()
  for (const { segment, indexes, looked } of firstRows(columns, null, query)) {
    const isFirst = (index: number) => segment.times[index] === firsts[segment.users[index] as number]
    const stored = indexes.filter(isFirst)
    for (const index of stored) passes[segment.users[index] as number] = 0
    if (stored.length > 0) {
      yield* selection.prepare(segment)
      markPicked(selection.pickAmong(segment, stored), passes)
    }
    if (pace.isDue(looked)) yield
  }
  return users.filter((user) => passes[user])
}
