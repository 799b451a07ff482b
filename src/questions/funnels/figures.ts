import type { GroupValues } from '../groups.ts'
import { EVERY_GAP, type GapSample, maxSentOf, middleSampleOf, sampleOf } from './gap-samples.ts'
import type { FoundProgress, Gaps, UserProgress } from './progress.ts'
import type { FunnelPass } from './query.ts'

/** What one object answers about a group's users. */
export interface GroupFigures {
  readonly values: GroupValues
  readonly completedBefore: number
  readonly steps: readonly StepFigures[]
}

/** Its gaps are those in the range that the query names for the step, or all; from an object that has all users, the middle ones. */
export interface StepFigures extends GapSample {
  readonly users: number
  /** How long the step took from the one before, in milliseconds: of all users together. */
  readonly sum: number
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
    users.flatMap((byStep) => byStep.slice(1)),
    bounds.gaps,
  )
  const steps: StepFigures[][] = chosen.map(() => [])
  for (const step of names.keys()) {
    const gaps = gapsOf(now, { step, indexes, users: users.map((byStep) => byStep[step] as number) })
    for (const [index, all] of gaps.entries()) {
      const [count, sum] = [users[index]?.[step] as number, sumOf(all)]
      const range = ranges?.[index]?.[step] ?? EVERY_GAP
      const sample = objects === 1 ? middleSampleOf(all) : sampleOf(all, range, maxSent)
      steps[index]?.push({ users: count, sum, ...sample })
      yield
    }
  }
  return chosen.map(({ values }, index) => ({
    values,
    completedBefore: usersBefore[index]?.at(-1) as number,
    steps: steps[index] as StepFigures[],
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

/** By index the gaps before a step, from 0, of all who reached it; the first step has none before it. */
function gapsOf(
  { furthest, gaps }: UserProgress,
  { step, indexes, users }: { step: number; indexes: Uint8Array; users: readonly number[] },
): Gaps[] {
  if (step === 0 || gaps.steps === 0) return users.map(() => new Uint32Array(0))
  const lists = users.map((count) => gaps.list(count))
  const ends = new Uint32Array(users.length)
  for (let row = 0; row < indexes.length; row++) {
    const index = indexes[row] as number
    if (index === NOT_CHOSEN || (furthest[row] as number) <= step) continue
    const end = ends[index] as number
    ;(lists[index] as Gaps)[end] = gaps.pageOf(row)[gaps.indexOf(row) + step - 1] as number
    ends[index] = end + 1
  }
  return lists
}

function sumOf(gaps: Gaps): number {
  let sum = 0
  for (let index = 0; index < gaps.length; index++) sum += gaps[index] as number
  return sum
}
