import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { createListCollector, type ListQuery, type ListRanking, listReport, type OrTooMany } from '../engine/lists.ts'
import { createPace } from '../engine/pace.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, record, same, type TotalOf } from '../engine/totals.ts'
import { readTurns } from './turns.ts'

const reachedGroup = record({
  name: same<string>(),
  /** Those who were reachable at some moment up to the end of the period. */
  users: count,
})

type ReachedGroup = TotalOf<typeof reachedGroup>

interface ReachedGroups {
  /** Most users first, ties by name. */
  readonly groups: readonly ReachedGroup[]
  readonly total: number
}

type GroupsQuery = Period & ListQuery & { readonly by: UserProperty }

const RANKING: ListRanking<ReachedGroup> = {
  nameOf: ({ name }) => name,
  figureOf: ({ users }) => users,
  add: reachedGroup,
}

/** The groups of users that a bot reached. */
export const reachedGroupsReport = listReport<GroupsQuery, ReachedGroups, 'groups', 'total', ReachedGroup>({
  name: 'groups of bot reach',
  isLarge: () => true,
  list: 'groups',
  total: 'total',
  ranking: RANKING,
  part: collectGroups,
})

function* collectGroups(
  columns: Columns,
  { by, ...query }: GroupsQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, OrTooMany<ReachedGroups, 'groups'>> {
  const { gains } = yield* readTurns(columns, spanOf(columns.calendar, query).to)
  const { codes, count, textOf } = codedWhole(columns, by)
  const users = new Uint32Array(count)
  for (let index = 0; index < gains.length; index++) {
    const user = gains.users[index] as number
    // Those of one user lie together.
    if (index > 0 && gains.users[index - 1] === user) continue
    increase(users, codes[user] as number)
  }
  yield
  const groups = createListCollector(query, RANKING, answerCharacters)
  const pace = createPace()
  for (let code = 0; code < count; code++) {
    const reached = users[code] as number
    if (reached > 0) groups.take(reached, () => ({ name: textOf(code), users: reached }))
    if (pace.isDueAfterGroup()) yield
  }
  return { groups: groups.items(), total: groups.total() }
}
