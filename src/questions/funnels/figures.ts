import { NO_PERIOD } from '../../base/time/divided-period.ts'
import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { countedBy } from '../engine/figures.ts'
import type { GroupValues } from '../engine/groups.ts'
import type { Bounds } from '../engine/report.ts'
import { EVERY_NUMBER, maxSentOf, middleSampleOf, type Sample, sampleOf } from '../engine/samples.ts'
import { funnelFigures } from './contract.ts'
import type { FoundProgress, Gaps, UserProgress } from './progress.ts'
import { askedFunnel, type FunnelPass, type FunnelQuery } from './query.ts'
import { findProgress } from './search.ts'

/** What one object answers about a group's users. */
export interface GroupFigures {
  readonly values: GroupValues
  /** The number of all groups, from an object that chose the largest. */
  readonly groupsTotal?: number
  readonly completedBefore: number
  readonly steps: readonly StepFigures[]
  /** From the first step to the last; missing from objects that still run the previous release. */
  readonly completion?: CompletionFigures | undefined
}

/**
 * A sample of gaps in the step's range of the query, or of all gaps; an object with all users sends the middle ones.
 */
export interface StepFigures extends Omit<Sample, 'numbers'> {
  readonly users: number
  readonly gaps: Sample['numbers']
  /** The time that the step took from the one before, in milliseconds: the total of all users. */
  readonly sum: number
}

interface CompletionFigures extends StepFigures {
  /** Users per part of `distributionEdges`, by how long the funnel took them. */
  readonly distribution: readonly number[]
}

/** A group to answer about. */
export interface Chosen {
  /** The number that `UserProgress` has for the group. */
  readonly ordinal: number
  readonly values: GroupValues
}

/** Yields after each step of each group. */
export function* figuresOf(
  { now, before }: FoundProgress,
  { query, bounds }: Pick<FunnelPass, 'query' | 'bounds'>,
  chosen: readonly Chosen[],
): Generator<void, GroupFigures[]> {
  const { steps: names, objects, ranges } = query
  const indexes = chosenIndexesOf(now, chosen)
  const users = usersOf(now, { indexes, groups: chosen.length, steps: names.length })
  const usersBefore = usersOf(before, {
    indexes: chosenIndexesOf(before, chosen),
    groups: chosen.length,
    steps: names.length,
  })
  const maxSent = maxSentOf(
    users.flatMap((byStep) => [...byStep.slice(1), byStep.at(-1) as number]),
    bounds.gaps,
  )
  const edges = distributionEdges(query.windowMilliseconds)
  const figures: StepFigures[][] = chosen.map(() => [])
  const distributions: number[][] = []
  for (const [place, { from, to }] of spansOf(names.length).entries()) {
    const reached = users.map((byStep) => byStep[to] as number)
    for (const [index, all] of gapsOf(now, { from, to, indexes, users: reached }).entries()) {
      const sum = sumOf(all)
      if (place === names.length) distributions.push(distributionOf(all, edges))
      // Both functions reorder the times, so they come last.
      const range = ranges ? (ranges[index]?.[place] ?? null) : EVERY_NUMBER
      const { numbers: gaps, ...counted } = objects === 1 ? middleSampleOf(all) : sampleOf(all, range, maxSent)
      figures[index]?.push({ users: reached[index] as number, sum, ...counted, gaps })
      yield
    }
  }
  return chosen.map(({ values }, index) => ({
    values,
    completedBefore: usersBefore[index]?.at(-1) as number,
    steps: figures[index]?.slice(0, -1) ?? [],
    completion: { ...(figures[index]?.at(-1) as StepFigures), distribution: distributions[index] as number[] },
  }))
}

/** Pairs of steps: each step and the one before it (-1 for the first), then the last step and the first. */
function spansOf(steps: number) {
  return [...Array.from({ length: steps }, (_, to) => ({ from: to - 1, to })), { from: 0, to: steps - 1 }]
}

const NOT_CHOSEN = 0xff

/** Per user: the index of their group among the chosen ones, or `NOT_CHOSEN`. */
function chosenIndexesOf(progress: UserProgress, chosen: readonly Chosen[]): Uint8Array {
  const indexOfGroup = new Uint8Array(Math.max(0, ...chosen.map(({ ordinal }) => ordinal + 1))).fill(NOT_CHOSEN)
  for (const [index, { ordinal }] of chosen.entries()) indexOfGroup[ordinal] = index
  const indexes = new Uint8Array(progress.furthest.length).fill(NOT_CHOSEN)
  for (let user = 0; user < indexes.length; user++) {
    const group = progress.groupOf(user)
    if (group < indexOfGroup.length) indexes[user] = indexOfGroup[group] as number
  }
  return indexes
}

/** Per index of a group and per step, from 0: the number of users who reached the step. */
function usersOf(
  { furthest }: UserProgress,
  { indexes, groups, steps }: { indexes: Uint8Array; groups: number; steps: number },
): number[][] {
  const counts = new Uint32Array((NOT_CHOSEN + 1) * (steps + 1))
  for (let user = 0; user < indexes.length; user++) {
    const cell = (indexes[user] as number) * (steps + 1) + (furthest[user] as number)
    counts[cell] = (counts[cell] as number) + 1
  }
  return Array.from({ length: groups }, (_, index) => {
    const byFurthest = counts.subarray(index * (steps + 1), (index + 1) * (steps + 1))
    return Array.from({ length: steps }, (_, step) => byFurthest.subarray(step + 1).reduce((a, b) => a + b, 0))
  })
}

interface Reached {
  readonly indexes: Uint8Array
  /** Per index of a group: the number of users who reached the later step. */
  readonly users: readonly number[]
}

/**
 * Per index of a group: its users' times between two steps, counted from 0; none if `from` is before the first step.
 */
function gapsOf(
  progress: UserProgress,
  { from, to, indexes, users }: Reached & { readonly from: number; readonly to: number },
): Gaps[] {
  const { furthest, gaps } = progress
  if (from < 0 || gaps.steps === 0) return users.map(() => new Uint32Array(0))
  const lists = users.map((count) => gaps.list(count))
  const ends = new Uint32Array(users.length)
  for (let user = 0; user < indexes.length; user++) {
    if ((furthest[user] as number) <= to) continue
    const index = indexes[user] as number
    if (index === NOT_CHOSEN) continue
    const row = progress.rowOf(user)
    const [page, first] = [gaps.pageOf(row), gaps.indexOf(row)]
    let time = 0
    for (let step = from; step < to; step++) time += page[first + step] as number
    const end = ends[index] as number
    ;(lists[index] as Gaps)[end] = time
    ends[index] = end + 1
  }
  return lists
}

/** From 10 seconds to 90 days, in seconds. */
const EDGES = [10, 30, 60, 300, 900, 3_600, 10_800, 43_200, 86_400, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000]

/** Where each part of a distribution begins, in seconds: 0, and the edges within the conversion window. */
export function distributionEdges(windowMilliseconds: number): number[] {
  return [0, ...EDGES.filter((edge) => edge * 1000 < windowMilliseconds)]
}

/** Counts the times, in milliseconds, in the part that begins at each edge. */
function distributionOf(times: Gaps, edges: readonly number[]): number[] {
  const [counts, ends] = [edges.map(() => 0), edges.slice(1).map((edge) => edge * 1000)]
  for (let index = 0; index < times.length; index++) {
    let part = 0
    while (part < ends.length && (times[index] as number) >= (ends[part] as number)) part += 1
    counts[part] = (counts[part] as number) + 1
  }
  return counts
}

function sumOf(gaps: Gaps): number {
  let sum = 0
  for (let index = 0; index < gaps.length; index++) sum += gaps[index] as number
  return sum
}

export interface FunnelUsersQuery {
  readonly funnel: FunnelQuery
  /** The step, counted from 1. */
  readonly step: number
  readonly isLast: boolean
  /** The group; null for all users. */
  readonly group: GroupValues | null
}

/** The users who reached a step of a funnel or, with `stopped`, got no further. */
export const funnelUsers = countedBy(funnelFigures, {
  toQuery(params, { step, stopped, group = null }, { period }) {
    const asked = askedFunnel(params, { period, before: NO_PERIOD, objects: 1 })
    return { funnel: asked, step, isLast: stopped, group }
  },
  find: findFunnelUsers,
})

export function* findFunnelUsers(
  columns: Columns,
  { funnel: query, step, isLast, group }: FunnelUsersQuery,
  bounds: Bounds,
): Generator<void, Uint8Array> {
  const grouping = group && groupingByText(columns, query.groupBy, closedDictionary([group]))
  const { now } = yield* findProgress({ columns, query, bounds }, grouping)
  const found = new Uint8Array(columns.userCount)
  for (let user = 0; user < found.length; user++) {
    const furthest = now.furthest[user] as number
    // The only group has ordinal 0, as has everyone if nothing is grouped.
    const isMet = now.groupOf(user) === 0 && (isLast ? furthest === step : furthest >= step)
    found[user] = Number(isMet)
  }
  return found
}
