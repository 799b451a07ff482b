import type { Columns } from '../../columns/columns.ts'
import { createListCollector, type ListQuery, type ListRanking, type ListReport, listReport } from './lists.ts'
import { createPace } from './pace.ts'
import { BOUNDS } from './report.ts'
import { count, record, same, type TotalOf } from './totals.ts'

const size = record({ name: same<string>(), users: count })

type Size = TotalOf<typeof size>

interface Sizes {
  /** Most users first, ties by name. */
  readonly groups: readonly Size[]
  /** Also those beyond the limit. */
  readonly total: number
}

const RANKING: ListRanking<Size> = { nameOf: ({ name }) => name, figureOf: ({ users }) => users, add: size }

/** Users by the code of a value. */
interface UsersOfValues {
  readonly users: Uint32Array
  readonly textOf: (code: number) => string
}

/** A report that lists groups of users with their sizes. */
export function sizesReport<Query extends ListQuery>(
  name: string,
  countUsers: (columns: Columns, query: Query) => Generator<void, UsersOfValues>,
): ListReport<Query, Sizes, 'groups'> {
  return listReport<Query, Sizes, 'groups', 'total', Size>({
    name,
    isLarge: () => true,
    list: 'groups',
    total: 'total',
    ranking: RANKING,
    *part(columns, query, { answerCharacters } = BOUNDS) {
      const { users, textOf } = yield* countUsers(columns, query)
      yield
      const groups = createListCollector(query, RANKING, answerCharacters)
      const pace = createPace()
      for (let code = 0; code < users.length; code++) {
        const count = users[code] as number
        if (count > 0) groups.take(count, () => ({ name: textOf(code), users: count }))
        if (pace.isDueAfterGroup()) yield
      }
      return { groups: groups.items(), total: groups.total() }
    },
  })
}
