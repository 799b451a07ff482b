import { OUTSIDE } from '../../selection/dictionary.ts'
import { halvesOf, WHOLE } from '../../selection/share.ts'
import type { GroupUsers, TakeGroup } from '../group-users.ts'
import { createGroupRanking, type GroupValues } from '../groups.ts'
import type { Cohorts } from './cohorts.ts'
import { chosenGroups } from './event-groups.ts'
import { findCohorts } from './find-cohorts.ts'
import { countGroupSizes, findCohortsOfGroups, groupedBy, type Pass, takeSizes } from './group-sizes.ts'

/** Groups and, of each user, the place of one of them. */
interface GroupedCohorts {
  readonly groups: readonly GroupValues[]
  readonly cohorts: Cohorts
}

/** Of the groups that are asked for, else of the largest; of none where nothing is grouped. */
export function* findGroupedCohorts(pass: Pass): Generator<void, GroupedCohorts> {
  const { columns, query } = pass
  if (query.groupBy) return yield* query.groups ? findCohortsOf(pass, query.groups) : findLargest(pass)
  const cohorts = yield* findCohorts(columns, query, null)
  return { groups: [], cohorts }
}

function* findCohortsOf({ columns, query }: Pass, groups: readonly GroupValues[]): Generator<void, GroupedCohorts> {
  const cohorts = yield* findCohorts(columns, query, chosenGroups(columns, groupedBy(query), groups))
  return { groups, cohorts }
}

/** Which groups are the largest is known once everybody's is: then that is there already, unless there are too many groups. */
function* findLargest(pass: Pass): Generator<void, GroupedCohorts> {
  const ranking = createGroupRanking<GroupUsers & { readonly ordinal: number }>()
  const offer: TakeGroup = (users, valuesOf, ordinal) =>
    ranking.offer(users, () => ({ values: valuesOf(), users, ordinal }))
  const found = yield* findCohortsOfGroups(pass, WHOLE)
  if (found) takeSizes(found, offer)
  else for (const half of halvesOf(WHOLE)) yield* countGroupSizes(pass, half, offer)
  const largest = ranking.items()
  const groups = largest.map(({ values }) => values)
  if (!found) return yield* findCohortsOf(pass, groups)
  const places = new Uint32Array(found.groups.count).fill(OUTSIDE)
  for (const [place, { ordinal }] of largest.entries()) places[ordinal] = place
  return { groups, cohorts: withPlaces(found.cohorts, places) }
}

/** The same with the places of groups instead of their ordinals. */
function withPlaces(cohorts: Cohorts, places: Uint32Array): Cohorts {
  return { ...cohorts, groups: cohorts.groups?.map((ordinal) => places[ordinal] ?? OUTSIDE) ?? null }
}
