import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../selection/dictionary.ts'
import { groupingByText } from '../../selection/grouping.ts'
import { halvesOf, WHOLE } from '../../selection/share.ts'
import type { GroupUsers, TakeGroup } from '../group-users.ts'
import { createGroupRanking, type GroupValues } from '../groups.ts'
import type { Report } from '../report.ts'
import { type Chosen, figuresOf, type GroupFigures, type StepFigures } from './figures.ts'
import { BOUNDS, countHeadlines, findWaysOfGroups, type Pass, takeHeadlines } from './headlines.ts'
import { labelsOf } from './labels.ts'
import { meanOf, middleOf, together } from './median.ts'
import type { FunnelQuery } from './query.ts'
import { findWays } from './search.ts'

/** The way of all users, or of one group of them. */
export interface Funnel {
  readonly values: GroupValues
  readonly completed: number
  readonly completedBefore: number
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: string
  readonly users: number
  /** From the previous step; null in the first one and where nobody got. */
  readonly medianMilliseconds: number | null
  readonly averageMilliseconds: number | null
}

/** The group with most users who completed first. */
export const funnelReport: Report<FunnelQuery, readonly GroupFigures[], readonly Funnel[]> = {
  name: 'funnel',
  part: (columns, query) => followUsers(columns, query),
  result(parts, query) {
    const [first = []] = parts
    const funnels = first.map((_, place) =>
      toFunnel(
        parts.map((part) => part[place] as GroupFigures),
        query,
      ),
    )
    if (query.groupBy.length === 0) return funnels
    const ranking = createGroupRanking<Funnel>()
    for (const funnel of funnels.filter(hasEntries)) ranking.offer(funnel.completed, () => funnel)
    return ranking.items()
  },
}

function hasEntries({ steps: [first] }: Funnel): boolean {
  return first !== undefined && first.users > 0
}

/** Of the groups that are asked for, else of the largest. */
export function* followUsers(
  columns: Columns,
  query: FunnelQuery,
  bounds = BOUNDS,
): Generator<void, readonly GroupFigures[]> {
  const pass = { columns, query, bounds }
  if (query.groupBy.length === 0) return yield* figuresOf(yield* findWays(pass, null), query, [EVERYBODY])
  return yield* query.groups ? followGroups(pass, query.groups) : followLargestGroups(pass)
}

const EVERYBODY: Chosen = { ordinal: 0, values: [] }

function* followGroups(pass: Pass, groups: readonly GroupValues[]): Generator<void, readonly GroupFigures[]> {
  const { columns, query } = pass
  const ways = yield* findWays(pass, groupingByText(columns, query.groupBy, closedDictionary(groups)))
  const chosen = groups.map((values, ordinal) => ({ ordinal, values }))
  return yield* figuresOf(ways, query, chosen)
}

/** Which groups are the largest is known once all users have been followed: then their ways are there already, as a rule. */
function* followLargestGroups(pass: Pass): Generator<void, readonly GroupFigures[]> {
  const ranking = createGroupRanking<GroupUsers & Chosen>()
  const offer: TakeGroup = (users, valuesOf, ordinal) =>
    ranking.offer(users, () => ({ users, values: valuesOf(), ordinal }))
  const found = yield* findWaysOfGroups(pass, WHOLE)
  if (found) {
    takeHeadlines(pass.query, found, offer)
    return yield* figuresOf(found.ways, pass.query, ranking.items())
  }
  for (const half of halvesOf(WHOLE)) yield* countHeadlines(pass, half, offer)
  const groups = ranking.items().map(({ values }) => values)
  return yield* followGroups(pass, groups)
}

function toFunnel(parts: readonly GroupFigures[], query: FunnelQuery): Funnel {
  const steps = labelsOf(query).map((name, place) => ({
    name,
    ...toStep(
      parts.map(({ steps }) => steps[place] as StepFigures),
      place,
    ),
  }))
  return {
    values: parts[0]?.values ?? [],
    completed: steps.at(-1)?.users ?? 0,
    completedBefore: sumOf(parts.map(({ completedBefore }) => completedBefore)),
    steps,
  }
}

function toStep(parts: readonly StepFigures[], place: number): Omit<Step, 'name'> {
  const users = sumOf(parts.map(({ users }) => users))
  if (place === 0 || users === 0) return { users, medianMilliseconds: null, averageMilliseconds: null }
  const gaps = together(parts.map(({ gaps }) => gaps))
  return {
    users,
    medianMilliseconds: meanOf(middleOf(gaps)),
    averageMilliseconds: sumOf(parts.map(({ sum }) => sum)) / users,
  }
}

function sumOf(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0)
}
