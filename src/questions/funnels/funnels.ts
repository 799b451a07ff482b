import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { askForLargestGroups, findLargest } from '../group-users.ts'
import { createGroupRanking, type GroupValues, nameOf } from '../groups.ts'
import { type Asking, BOUNDS, type Report } from '../question.ts'
import { countOf, type Figures } from '../series.ts'
import { funnelCandidatesReport, searchGroups } from './candidates.ts'
import type { FunnelStep } from './contract.ts'
import { type Chosen, figuresOf, type GroupFigures, meanOf, middleOf, type StepFigures, together } from './figures.ts'
import { type FunnelPass, type FunnelQuery, labelsOf } from './query.ts'
import { findProgress } from './search.ts'

/** The funnel of all users, or of one group of them. */
export interface GroupFunnel {
  readonly values: GroupValues
  readonly completed: number
  readonly completedBefore: number
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: string
  readonly users: number
  /** From the previous step; null in the first step and in steps that nobody reached. */
  readonly medianMilliseconds: number | null
  readonly averageMilliseconds: number | null
}

/** The group with the most users who completed the funnel comes first. */
export const funnelReport: Report<FunnelQuery, readonly GroupFigures[], readonly GroupFunnel[]> = {
  name: 'funnel',
  isLarge: () => true,
  part: followUsers,
  result(parts, query) {
    const [first = []] = parts
    const funnels = first.map((_, index) =>
      toFunnel(
        parts.map((part) => part[index] as GroupFigures),
        query,
      ),
    )
    if (query.groupBy.length === 0) return funnels
    const ranking = createGroupRanking<GroupFunnel>()
    for (const funnel of funnels.filter(hasEntries)) ranking.offer(funnel.completed, () => funnel)
    return ranking.items()
  },
}

function hasEntries({ steps: [first] }: GroupFunnel): boolean {
  return first !== undefined && first.users > 0
}

/** Asks for the funnel of all users, or of the largest groups. */
export async function askForFunnel(query: FunnelQuery, { objects, ask }: Asking): Promise<readonly GroupFunnel[]> {
  if (objects === 1 || query.groupBy.length === 0) return ask(funnelReport, query)
  const groups = await askForLargestGroups((share) => ask(funnelCandidatesReport, { ...query, share }))
  return ask(funnelReport, { ...query, groups })
}

/** Of the groups of the query, else of the largest. */
function* followUsers(columns: Columns, query: FunnelQuery, bounds = BOUNDS): Generator<void, readonly GroupFigures[]> {
  const pass = { columns, query, bounds }
  if (query.groupBy.length === 0) return yield* figuresOf(yield* findProgress(pass, null), query, [EVERYBODY])
  if (query.groups) return yield* followGroups(pass, query.groups)
  // Which groups are the largest is known once all users have been followed: then their progress is there already, as a rule.
  const { largest, found } = yield* findLargest(searchGroups(pass))
  if (found) return yield* figuresOf(found.progress, query, largest)
  return yield* followGroups(
    pass,
    largest.map(({ values }) => values),
  )
}

const EVERYBODY: Chosen = { ordinal: 0, values: [] }

function* followGroups(pass: FunnelPass, groups: readonly GroupValues[]): Generator<void, readonly GroupFigures[]> {
  const { columns, query } = pass
  const progress = yield* findProgress(pass, groupingByText(columns, query.groupBy, closedDictionary(groups)))
  const chosen = groups.map((values, ordinal) => ({ ordinal, values }))
  return yield* figuresOf(progress, query, chosen)
}

function toFunnel(parts: readonly GroupFigures[], query: FunnelQuery): GroupFunnel {
  const steps = labelsOf(query).map((name, index) => ({
    name,
    ...toStep(
      parts.map(({ steps }) => steps[index] as StepFigures),
      index,
    ),
  }))
  return {
    values: parts[0]?.values ?? [],
    completed: steps.at(-1)?.users ?? 0,
    completedBefore: sumOf(parts.map(({ completedBefore }) => completedBefore)),
    steps,
  }
}

function toStep(parts: readonly StepFigures[], index: number): Omit<Step, 'name'> {
  const users = sumOf(parts.map(({ users }) => users))
  if (index === 0 || users === 0) return { users, medianMilliseconds: null, averageMilliseconds: null }
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

export function toFigures(funnel: GroupFunnel): Figures {
  return {
    name: seriesName(funnel),
    data: funnel.steps.map(({ users }) => users),
    headline: countOf(funnel.completed),
    before: countOf(funnel.completedBefore),
  }
}

/** Where nothing is grouped, the only group has no values. */
function seriesName({ values }: GroupFunnel): string {
  return values.length === 0 ? 'All users' : nameOf(values)
}

export function toSteps(funnel: GroupFunnel): FunnelStep[] {
  const { steps } = funnel
  const start = steps[0]?.users ?? 0
  return steps.map(({ name, users, medianMilliseconds, averageMilliseconds }, index) => ({
    group: seriesName(funnel),
    step: index + 1,
    event: name,
    users,
    conversion_from_start: percentOf(start, users),
    conversion_from_previous: percentOf(steps[index - 1]?.users ?? start, users),
    median_seconds: toSeconds(medianMilliseconds),
    average_seconds: toSeconds(averageMilliseconds),
  }))
}

function percentOf(all: number, part: number): number {
  return all === 0 ? 0 : (part * 100) / all
}

function toSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000
}
