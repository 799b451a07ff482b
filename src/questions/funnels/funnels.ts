import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import {
  ascending,
  findQuantiles,
  type Limits,
  MEDIAN,
  medianOf,
  type Quantile,
  quantileOf,
} from '../engine/by-rank.ts'
import { createGroupRanking, type GroupValues, nameOf } from '../engine/groups.ts'
import { askForLargest, findLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { type NumberRange, rangeWithin, spreadOfSample } from '../engine/samples.ts'
import { countOf, type Figures } from '../engine/series.ts'
import { sumOf } from '../engine/shares.ts'
import { completedOf, funnelCandidatesReport, searchGroups } from './candidates.ts'
import type { FunnelConversionTime, FunnelStep } from './contract.ts'
import { type Chosen, distributionEdges, figuresOf, type GroupFigures, type StepFigures } from './figures.ts'
import { type FunnelPass, type FunnelQuery, labelsOf } from './query.ts'
import { findProgress } from './search.ts'

/** The funnel of all users, or of one group of them. */
export interface GroupFunnel {
  readonly values: GroupValues
  readonly groupsTotal: number
  readonly completed: number
  readonly completedBefore: number
  readonly steps: readonly Step[]
  readonly completion: Completion
}

/** How long something took, in milliseconds; without values if no user did it. */
interface Duration {
  readonly average: number | null
  readonly median: Quantile<number>
}

/** A step and the time from the previous step, without values for the first one. */
interface Step extends Duration {
  readonly name: string
  readonly users: number
}

/** The time from the first step to the last; without values while an object still runs the previous release. */
interface Completion extends Duration {
  /** Users per part of `distributionEdges`. */
  readonly distribution: readonly number[]
}

/** Groups keep the order of the parts. */
export const funnelReport: Report<FunnelQuery, readonly GroupFigures[], readonly GroupFunnel[]> = {
  name: 'funnel',
  isLarge: () => true,
  part: followUsers,
  result(parts, query) {
    const [first = []] = parts
    return first.map((_, index) =>
      toFunnel(
        parts.map((part) => part[index] as GroupFigures),
        query,
        index,
      ),
    )
  },
}

function hasEntries({ steps: [first] }: GroupFunnel): boolean {
  return first !== undefined && first.users > 0
}

interface Funnels {
  readonly funnels: readonly GroupFunnel[]
  /** The number of all groups; null if nothing is grouped. */
  readonly total: number | null
}

/** Asks for the funnel of all users, or of the largest groups. The group with the most users who completed the funnel comes first. */
export async function askForFunnel(query: FunnelQuery, asking: Asking): Promise<Funnels> {
  const isOfGroups = query.groupBy.length > 0
  const largest = isOfGroups && asking.objects > 1 ? await askForLargest(funnelCandidatesReport, query, asking) : null
  const funnels = await findMedians({ ...query, groups: largest?.groups ?? null }, asking)
  if (!isOfGroups) return { funnels, total: null }
  const ranking = createGroupRanking<GroupFunnel>()
  for (const funnel of funnels.filter(hasEntries)) ranking.offer(funnel.completed, () => funnel)
  return { funnels: ranking.items(), total: largest?.total ?? funnels[0]?.groupsTotal ?? 0 }
}

/** Two rounds are enough for many millions of users; more are needed only if an object's gaps differ each time. */
const MAX_ROUNDS = 12

/**
 * The first round answers everything if each object can send all its gaps. Otherwise it says between which gaps each step's median
 * lies, and further rounds narrow that down. If events arrive meanwhile, users and averages are still those of the first round, and a
 * median may be that of a later moment, but always lies within its limits.
 */
async function findMedians(query: FunnelQuery, { ask }: Asking): Promise<readonly GroupFunnel[]> {
  const funnels = await ask(funnelReport, query)
  // Later rounds do not need the preceding period again.
  const before = { from: query.period.from, to: query.period.from - 1 }
  const durations = query.steps.length + 1
  const ofGroup = <T>(all: readonly T[], group: number) => all.slice(group * durations, (group + 1) * durations)
  async function askWithin(limits: readonly (Limits<number> | null)[]) {
    const ranges = funnels.map((_, group) => ofGroup(limits, group).map(rangeWithin))
    return (await ask(funnelReport, { ...query, before, ranges })).flatMap(mediansOf)
  }
  const medians = await findQuantiles(funnels.flatMap(mediansOf), askWithin, MAX_ROUNDS)
  return funnels.map((funnel, group) => withMedians(funnel, ofGroup(medians, group)))
}

/** Medians in the order of a query's ranges: those of the steps, then that of the completion. */
function mediansOf({ steps, completion }: GroupFunnel): Quantile<number>[] {
  return [...steps, completion].map(({ median }) => median)
}

function withMedians(funnel: GroupFunnel, medians: readonly Quantile<number>[]): GroupFunnel {
  const at = (index: number) => ({ median: medians[index] as Quantile<number> })
  return {
    ...funnel,
    steps: funnel.steps.map((step, index) => ({ ...step, ...at(index) })),
    completion: { ...funnel.completion, ...at(funnel.steps.length) },
  }
}

/** Follows all users or, where groups are asked for, those of the query's groups, else of the largest ones. */
function* followUsers(columns: Columns, query: FunnelQuery, bounds = BOUNDS): Generator<void, readonly GroupFigures[]> {
  const pass = { columns, query, bounds }
  if (query.groupBy.length === 0) return yield* figuresOf(yield* findProgress(pass, null), pass, [EVERYBODY])
  if (query.groups) return yield* followGroups(pass, query.groups)
  // The largest groups are known only after all users have been followed, so their progress is usually there already.
  const { largest, total, found } = yield* findLargest(searchGroups(pass), completedOf)
  const values = largest.map((group) => group.values)
  const figures = found ? figuresOf(found.progress, pass, largest) : followGroups(pass, values)
  return (yield* figures).map((group) => ({ ...group, groupsTotal: total }))
}

const EVERYBODY: Chosen = { ordinal: 0, values: [] }

function* followGroups(pass: FunnelPass, groups: readonly GroupValues[]): Generator<void, readonly GroupFigures[]> {
  const { columns, query } = pass
  const progress = yield* findProgress(pass, groupingByText(columns, query.groupBy, closedDictionary(groups)))
  const chosen = groups.map((values, ordinal) => ({ ordinal, values }))
  return yield* figuresOf(progress, pass, chosen)
}

function toFunnel(parts: readonly GroupFigures[], query: FunnelQuery, group: number): GroupFunnel {
  const steps = labelsOf(query).map((name, index) => {
    const figures = parts.map(({ steps }) => steps[index] as StepFigures)
    const users = sumOf(figures, (part) => part.users)
    return { name, users, ...durationOf(index === 0 ? [] : figures, query.ranges?.[group]?.[index]) }
  })
  return {
    values: parts[0]?.values ?? [],
    groupsTotal: parts[0]?.groupsTotal ?? 0,
    completed: steps.at(-1)?.users ?? 0,
    completedBefore: sumOf(parts, ({ completedBefore }) => completedBefore),
    steps,
    completion: toCompletion(parts, query, group),
  }
}

function durationOf(figures: readonly StepFigures[], range?: NumberRange | null): Duration {
  const count = sumOf(figures, ({ users }) => users)
  const spreads = figures.map(({ gaps, ...counted }) => spreadOfSample({ ...counted, numbers: gaps }))
  const limits = range && { least: range.low, most: range.high }
  return {
    average: count === 0 ? null : sumOf(figures, ({ sum }) => sum) / count,
    median: quantileOf(spreads, { quantile: MEDIAN, count, order: ascending, limits }),
  }
}

function toCompletion(parts: readonly GroupFigures[], query: FunnelQuery, group: number): Completion {
  const figures = parts.flatMap(({ completion = [] }) => completion)
  const isWhole = figures.length === parts.length
  return {
    ...durationOf(isWhole ? figures : [], query.ranges?.[group]?.[query.steps.length]),
    distribution: distributionEdges(query.windowMilliseconds).map((_, part) =>
      sumOf(figures, ({ distribution }) => distribution[part] as number),
    ),
  }
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

export function toConversionTime(funnel: GroupFunnel, { windowMilliseconds }: FunnelQuery): FunnelConversionTime {
  const { average, median, distribution } = funnel.completion
  return {
    group: seriesName(funnel),
    median_seconds: toSeconds(medianOf(median)),
    average_seconds: toSeconds(average),
    distribution: distributionEdges(windowMilliseconds).map((from, part) => ({
      from_seconds: from,
      users: distribution[part] as number,
    })),
  }
}

export function toSteps(funnel: GroupFunnel): FunnelStep[] {
  const { steps } = funnel
  const start = steps[0]?.users ?? 0
  return steps.map(({ name, users, average, median }, index) => ({
    group: seriesName(funnel),
    step: index + 1,
    event: name,
    users,
    conversion_from_start: percentOf(start, users),
    conversion_from_previous: percentOf(steps[index - 1]?.users ?? start, users),
    median_seconds: toSeconds(medianOf(median)),
    average_seconds: toSeconds(average),
  }))
}

function percentOf(all: number, part: number): number {
  return all === 0 ? 0 : (part * 100) / all
}

function toSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000
}
