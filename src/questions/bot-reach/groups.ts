import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import type { ListQuery } from '../engine/lists.ts'
import { sizesReport } from '../engine/sizes.ts'
import { readTurns } from './turns.ts'

type GroupsQuery = Period & ListQuery & { readonly by: UserProperty }

/** The groups of users whom a bot reached: users who were reachable at some moment up to the end of the period. */
export const reachedGroupsReport = sizesReport<GroupsQuery>(
  'groups of bot reach',
  function* (columns, { by, ...query }) {
    const { gains } = yield* readTurns(columns, spanOf(columns.calendar, query).to)
    const { codes, count, textOf } = codedWhole(columns, by)
    const users = new Uint32Array(count)
    for (let index = 0; index < gains.length; index++) {
      const user = gains.users[index] as number
      // Those of one user lie together.
      if (index > 0 && gains.users[index - 1] === user) continue
      increase(users, codes[user] as number)
    }
    return { users, textOf }
  },
)
