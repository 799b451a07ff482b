import type { Columns } from '../../columns/columns.ts'
import { createListCollector, type ListQuery, type ListRanking, listReport, type OrTooMany } from '../engine/lists.ts'
import { createPace } from '../engine/pace.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, record, same, type TotalOf } from '../engine/totals.ts'
import { type CohortQuery, sizesOf } from './cohort.ts'

const groupSize = record({ name: same<string>(), users: count })

type GroupSize = TotalOf<typeof groupSize>

interface GroupSizes {
  /** Most users first, ties by name. */
  readonly groups: readonly GroupSize[]
  /** Also those beyond the limit. */
  readonly total: number
}

type SizesQuery = CohortQuery & ListQuery

const RANKING: ListRanking<GroupSize> = {
  nameOf: ({ name }) => name,
  figureOf: ({ users }) => users,
  add: groupSize,
}

/** The groups of new users with their sizes. */
export const groupSizesReport = {
  ...listReport<SizesQuery, GroupSizes, 'groups', 'total', GroupSize>({
    name: 'sizes of acquired groups',
    isLarge: () => true,
    list: 'groups',
    total: 'total',
    ranking: RANKING,
    part: collectSizes,
  }),
}

function* collectSizes(
  columns: Columns,
  query: SizesQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, OrTooMany<GroupSizes, 'groups'>> {
  const { users, textOf } = yield* sizesOf(columns, query)
  yield
  const groups = createListCollector(query, RANKING, answerCharacters)
  const pace = createPace()
  for (let code = 0; code < users.length; code++) {
    const count = users[code] as number
    if (count > 0) groups.take(count, () => ({ name: textOf(code), users: count }))
    if (pace.isDueAfterGroup()) yield
  }
  return { groups: groups.items(), total: groups.total() }
}
