import type { GroupValues } from '../groups.ts'
import { EVERY_GAP, emptyLike, type GapSample, maxSentOf, middleSampleOf, sampleOf } from './gap-samples.ts'
import type { FoundProgress, Gaps, UserProgress } from './progress.ts'
import type { FunnelPass } from './query.ts'

/** What one object answers about a group's users. */
export interface GroupFigures {
  readonly values: GroupValues
  readonly completedBefore: number
  readonly steps: readonly StepFigures[]
  /** From the first step to the last; an object of the release before says nothing of it. */
  readonly completion?: CompletionFigures | undefined
}

/** Its gaps are those in the range that the query names for the step, or all; from an object that has all users, the middle ones. */
export interface StepFigures extends GapSample {
  readonly users: number
  /** How long the step took from the one before, in milliseconds: of all users together. */
  readonly sum: number
}

interface CompletionFigures extends StepFigures {
  /** Users by how long it took them, as `distributionEdges` has it. */
  readonly distribution: readonly number[]
}

/** A group to answer about. */
export interface Chosen {
  /** As progress have it. */
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
  const toFigures = (all: Gaps, index: number, place: number): StepFigures => {
    const range = ranges?.[index]?.[place] ?? EVERY_GAP
    const [count, sum] = [users[index]?.[Math.min(place, names.length - 1)] as number, sumOf(all)]
    return { users: count, sum, ...(objects === 1 ? middleSampleOf(all) : sampleOf(all, range, maxSent)) }
  }
  const steps: StepFigures[][] = chosen.map(() => [])
  for (const step of names.keys()) {
    const gaps = gapsOf(now, { step, indexes, users: users.map((byStep) => byStep[step] as number) })
    for (const [index, all] of gaps.entries()) {
      steps[index]?.push(toFigures(all, index, step))
      yield
    }
  }
  const completions: CompletionFigures[] = []
  const edges = distributionEdges(query.windowMilliseconds)
  for (const [index, all] of timesOf(now, {
    indexes,
    users: users.map((byStep) => byStep.at(-1) as number),
  }).entries()) {
    completions.push({ distribution: distributionOf(all, edges), ...toFigures(all, index, names.length) })
    yield
  }
  return chosen.map(({ values }, index) => ({
    values,
    completedBefore: usersBefore[index]?.at(-1) as number,
    steps: steps[index] as StepFigures[],
    completion: completions[index],
  }))
}

const NOT_CHOSEN = 0xff

/** By row, the index of its group among the chosen ones; `NOT_CHOSEN` for other groups. */
function chosenIndexesOf({ length, groups }: UserProgress, chosen: readonly Chosen[]): Uint8Array {
  const indexOfGroup = new Uint8Array(Math.max(0, ...chosen.map(({ ordinal }) => ordinal + 1))).fill(NOT_CHOSEN)
  for (const [index, { ordinal }] of chosen.entries()) indexOfGroup[ordinal] = index
  const indexes = new Uint8Array(length).fill(NOT_CHOSEN)
  for (let row = 0; row < length; row++) {
    const group = groups[row] as number
    if (group < indexOfGroup.length) indexes[row] = indexOfGroup[group] as number
  }
  return indexes
}

/** By index and step, from 0, how many reached it. */
function usersOf(
  { furthest }: UserProgress,
  { indexes, groups, steps }: { indexes: Uint8Array; groups: number; steps: number },
): number[][] {
  const counts = new Uint32Array((NOT_CHOSEN + 1) * (steps + 1))
  for (let row = 0; row < indexes.length; row++) {
    const cell = (indexes[row] as number) * (steps + 1) + (furthest[row] as number)
    counts[cell] = (counts[cell] as number) + 1
  }
  return Array.from({ length: groups }, (_, index) => {
    const byFurthest = counts.subarray(index * (steps + 1), (index + 1) * (steps + 1))
    return Array.from({ length: steps }, (_, step) => byFurthest.subarray(step + 1).reduce((a, b) => a + b, 0))
  })
}

interface Reached {
  readonly indexes: Uint8Array
  /** By index, how many. */
  readonly users: readonly number[]
}

/** By index the gaps before a step, from 0, of all who reached it; the first step has none before it. */
function gapsOf(progress: UserProgress, { step, ...reached }: Reached & { readonly step: number }): Gaps[] {
  const ofStep = progress.gaps[step - 1]
  return ofStep ? listsOf(progress, ofStep, { step, ...reached }) : reached.users.map(() => new Uint32Array(0))
}

/** By index the times from the first step to the last, of all who reached it. */
function timesOf(progress: UserProgress, reached: Reached): Gaps[] {
  const [first, ...others] = progress.gaps
  if (!first) return reached.users.map(() => new Uint32Array(0))
  const lists = listsOf(progress, first, { step: others.length + 1, ...reached })
  for (const ofStep of others) {
    for (const [index, more] of listsOf(progress, ofStep, { step: others.length + 1, ...reached }).entries()) {
      const list = lists[index] as Gaps
      for (let row = 0; row < list.length; row++) list[row] = (list[row] as number) + (more[row] as number)
    }
  }
  return lists
}

/** By index the figures of all rows that reached a step, from 0. */
function listsOf(
  { furthest }: UserProgress,
  figures: Gaps,
  { step, indexes, users }: Reached & { readonly step: number },
): Gaps[] {
  const lists = users.map((count) => emptyLike(figures, count))
  const ends = new Uint32Array(users.length)
  for (let row = 0; row < indexes.length; row++) {
    const index = indexes[row] as number
    if (index === NOT_CHOSEN || (furthest[row] as number) <= step) continue
    const end = ends[index] as number
    ;(lists[index] as Gaps)[end] = figures[row] as number
    ends[index] = end + 1
  }
  return lists
}

/** Seconds, from 10 to 90 days. */
const EDGES = [10, 30, 60, 300, 900, 3_600, 10_800, 43_200, 86_400, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000]

/** Where each part of a distribution begins, in seconds: those of the conversion window. */
export function distributionEdges(windowMilliseconds: number): number[] {
  return [0, ...EDGES.filter((edge) => edge * 1000 < windowMilliseconds)]
}

/** How many figures, in milliseconds, are in the part that begins at each edge. */
function distributionOf(figures: Gaps, edges: readonly number[]): number[] {
  const counts = edges.map(() => 0)
  for (let index = 0; index < figures.length; index++) {
    const part = edges.findLastIndex((edge) => edge * 1000 <= (figures[index] as number))
    counts[part] = (counts[part] as number) + 1
  }
  return counts
}

function sumOf(gaps: Gaps): number {
  let sum = 0
  for (let index = 0; index < gaps.length; index++) sum += gaps[index] as number
  return sum
}
