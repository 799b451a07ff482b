import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'

/** Users whose first event lies in a period, by a property of theirs. */
export interface CohortQuery extends Period {
  readonly by: UserProperty
}

/** Those of them who are looked at, by the names of their groups. */
export interface GroupsQuery extends CohortQuery {
  readonly groups: readonly string[]
}

/** Nobody of the cohort. */
export const OUTSIDER = -1

export interface Cohort {
  /** By user: the index of their group; the number of groups for those of other groups, and `OUTSIDER`. */
  readonly groupOf: Int32Array
  /** Of groups, including one for everybody else. */
  readonly count: number
}

/** Counts the users of each value. */
export function sizesOf(columns: Columns, query: CohortQuery) {
  const { codes, count, textOf } = codedWhole(columns, query.by)
  const users = new Uint32Array(count)
  for (const user of membersOf(columns, query)) {
    const code = codes[user] as number
    users[code] = (users[code] as number) + 1
  }
  return { users, textOf }
}

export function cohortOf(columns: Columns, query: GroupsQuery): Cohort {
  const { codes, count, codeOf } = codedWhole(columns, query.by)
  const others = query.groups.length
  const table = new Int32Array(count).fill(others)
  for (const [index, name] of query.groups.entries()) {
    const code = codeOf(name)
    if (code !== null) table[code] = index
  }
  const groupOf = new Int32Array(columns.userCount).fill(OUTSIDER)
  for (const user of membersOf(columns, query)) groupOf[user] = table[codes[user] as number] as number
  return { groupOf, count: others + 1 }
}

function membersOf(columns: Columns, { from, to }: CohortQuery): number[] {
  const span = spanOf(columns.calendar, { from, to })
  const { times } = columns.firstTouches
  const members: number[] = []
  const length = Math.min(columns.userCount, times.length)
  for (let user = 0; user < length; user++) {
    const time = times[user] as number
    if (time >= span.from && time < span.to) members.push(user)
  }
  return members
}
