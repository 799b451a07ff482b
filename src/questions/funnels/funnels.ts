import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { createGroupRanking, type GroupValues, nameOf } from '../engine/groups.ts'
import { askForLargest, findLargest } from '../engine/ranked.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { countOf, type Figures } from '../engine/series.ts'
import { sumOf } from '../engine/shares.ts'
import { completedOf, funnelCandidatesReport, searchGroups } from './candidates.ts'
import type { FunnelConversionTime, FunnelStep } from './contract.ts'
import { type Chosen, distributionEdges, figuresOf, type GroupFigures, type StepFigures } from './figures.ts'
import { EVERY_GAP, type GapRange, type GapSample } from './gap-samples.ts'
import { type Middle, medianOf, middleIn } from './median.ts'
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

/** How long something took, in milliseconds; null if nobody did it. */
interface Duration {
  readonly average: number | null
  readonly middle: Middle | null
}

/** From the previous step; null in the first step. */
interface Step extends Duration {
  readonly name: string
  readonly users: number
}

/** From the first step to the last; null also while an object of the release before answers. */
interface Completion extends Duration {
  /** Users by the parts of `distributionEdges`. */
  readonly distribution: readonly number[]
}

/** The groups come in the order of the parts. */
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
  /** The number of all groups; null where nothing is grouped. */
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

/** Two are enough for many millions of users. Only an object whose gaps are others each time is asked so often. */
const MAX_ROUNDS = 12

/**
 * The first round answers everything if each object can send all its gaps. Otherwise it says in which range each step's middle gaps
 * are, and further rounds narrow the ranges down. If events arrive meanwhile, users and averages are still those of the first
 * round, and a median may be that of a later moment, but always lies in its range.
 */
async function findMedians(query: FunnelQuery, { ask }: Asking): Promise<readonly GroupFunnel[]> {
  let funnels = await ask(funnelReport, query)
  // Nobody needs to be followed through the period before again.
  const before = { from: query.period.from, to: query.period.from - 1 }
  for (let round = 1; round < MAX_ROUNDS && !funnels.every(hasMedians); round += 1) {
    const ranges = funnels.map((funnel) => durationsOf(funnel).map(({ middle }) => middle ?? EVERY_GAP))
    const narrowed = await ask(funnelReport, { ...query, before, ranges })
    funnels = funnels.map((funnel, index) => withMiddlesOf(narrowed[index], funnel))
  }
  return funnels
}

/** In the order of the ranges of a query. */
function durationsOf({ steps, completion }: GroupFunnel): readonly Duration[] {
  return [...steps, completion]
}

function hasMedians(funnel: GroupFunnel): boolean {
  return durationsOf(funnel).every(({ middle }) => middle === null || middle.isFound)
}

function withMiddlesOf(narrowed: GroupFunnel | undefined, funnel: GroupFunnel): GroupFunnel {
  const steps = funnel.steps.map((step, index) => withMiddleOf(narrowed?.steps[index], step))
  return { ...funnel, steps, completion: withMiddleOf(narrowed?.completion, funnel.completion) }
}

function withMiddleOf<D extends Duration>(narrowed: D | undefined, known: D): D {
  const isKnown = known.middle === null || known.middle.isFound
  return isKnown ? known : { ...known, middle: narrowed?.middle ?? known.middle }
}

/** Of the groups of the query, else of the largest. */
function* followUsers(columns: Columns, query: FunnelQuery, bounds = BOUNDS): Generator<void, readonly GroupFigures[]> {
  const pass = { columns, query, bounds }
  if (query.groupBy.length === 0) return yield* figuresOf(yield* findProgress(pass, null), pass, [EVERYBODY])
  if (query.groups) return yield* followGroups(pass, query.groups)
  // Which groups are the largest is known once all users have been followed: then their progress is there already, as a rule.
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

function durationOf(figures: readonly StepFigures[], range?: GapRange): Duration {
  const users = sumOf(figures, (part) => part.users)
  if (users === 0) return { average: null, middle: null }
  const average = sumOf(figures, ({ sum }) => sum) / users
  return { average, middle: middleIn(figures.map(sampleIn), users, range) }
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

/** An object of the release before sends all its gaps or, if it has all users, the middle ones: in no order, and with no counts. */
function sampleIn({ users, below, count, gaps }: StepFigures): GapSample {
  if (count !== undefined) return { below, count, gaps }
  return { below: Math.floor((users - gaps.length) / 2), count: gaps.length, gaps: gaps.toSorted() }
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
  const { average, middle, distribution } = funnel.completion
  return {
    group: seriesName(funnel),
    median_seconds: toSeconds(middle && medianOf(middle)),
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
  return steps.map(({ name, users, average, middle }, index) => ({
    group: seriesName(funnel),
    step: index + 1,
    event: name,
    users,
    conversion_from_start: percentOf(start, users),
    conversion_from_previous: percentOf(steps[index - 1]?.users ?? start, users),
    median_seconds: toSeconds(middle && medianOf(middle)),
    average_seconds: toSeconds(average),
  }))
}

function percentOf(all: number, part: number): number {
  return all === 0 ? 0 : (part * 100) / all
}

function toSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000
}
