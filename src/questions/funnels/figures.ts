import type { GroupValues } from '../groups.ts'
import type { FoundProgress, Gaps, UserProgress } from './progress.ts'
import type { FunnelQuery } from './query.ts'

/** What one object answers about a group's users. */
export interface GroupFigures {
  readonly values: GroupValues
  readonly completedBefore: number
  readonly steps: readonly StepFigures[]
}

export interface StepFigures {
  readonly users: number
  /** How long the step took from the one before, in milliseconds: of all users together. */
  readonly sum: number
  /** And of each; where one object has all users, of those in the middle only: the median needs no more. */
  readonly gaps: Gaps
}

/** A group to answer about. */
export interface Chosen {
  /** As progress have it. */
  readonly ordinal: number
  readonly values: GroupValues
}

/** Yields after each step. */
export function* figuresOf(
  { now, before }: FoundProgress,
  { steps: names, objects }: FunnelQuery,
  chosen: readonly Chosen[],
): Generator<void, GroupFigures[]> {
  const indexes = chosenIndexesOf(now, chosen)
  const users = usersOf(now, { indexes, groups: chosen.length, steps: names.length })
  const usersBefore = usersOf(before, {
    indexes: chosenIndexesOf(before, chosen),
    groups: chosen.length,
    steps: names.length,
  })
  const steps: StepFigures[][] = chosen.map(() => [])
  for (const step of names.keys()) {
    const gaps = gapsOf(now, { step, indexes, users: users.map((byStep) => byStep[step] as number) })
    for (const [index, all] of gaps.entries()) {
      const [count, sum] = [users[index]?.[step] as number, sumOf(all)]
      steps[index]?.push({ users: count, sum, gaps: objects === 1 ? middleOf(all) : all })
    }
    yield
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
  const ofStep = gaps[step - 1]
  if (!ofStep) return users.map(() => new Uint32Array(0))
  const lists = users.map((count) => emptyLike(ofStep, count))
  const ends = new Uint32Array(users.length)
  for (let row = 0; row < indexes.length; row++) {
    const index = indexes[row] as number
    if (index === NOT_CHOSEN || (furthest[row] as number) <= step) continue
    const end = ends[index] as number
    ;(lists[index] as Gaps)[end] = ofStep[row] as number
    ends[index] = end + 1
  }
  return lists
}

function emptyLike(gaps: Gaps, length: number): Gaps {
  return gaps instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length)
}

function sumOf(gaps: Gaps): number {
  let sum = 0
  for (let index = 0; index < gaps.length; index++) sum += gaps[index] as number
  return sum
}

/** The one or two in the middle of some figures in order, whose mean is the median. Reorders the figures. */
export function middleOf<G extends Gaps>(figures: G): G {
  const { length } = figures
  if (length === 0) return figures.slice() as G
  const low = (length - 1) >>> 1
  const high = length >>> 1
  select(figures, low)
  // All before the selected index are at most as great, all after it at least, so the next one is the least of those after it.
  if (high > low) moveLeastTo(figures, high)
  return figures.slice(low, high + 1) as G
}

export function together(lists: readonly Gaps[]): Gaps {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const list of lists) {
    all.set(list, end)
    end += list.length
  }
  return all
}

export function meanOf(figures: Gaps): number | null {
  if (figures.length === 0) return null
  let sum = 0
  for (const figure of figures) sum += figure
  return sum / figures.length
}

/** Quickselect: puts the figure at an index that would be there if all were sorted, none greater before it and none less after it. */
function select(figures: Gaps, index: number): void {
  let [from, to] = [0, figures.length - 1]
  while (from < to) {
    const pivot = figures[(from + to) >>> 1] as number
    let [left, right] = [from, to]
    while (left <= right) {
      while ((figures[left] as number) < pivot) left++
      while ((figures[right] as number) > pivot) right--
      if (left > right) break
      swap(figures, left, right)
      left++
      right--
    }
    if (index <= right) to = right
    else if (index >= left) from = left
    else return
  }
}

function moveLeastTo(figures: Gaps, index: number): void {
  for (let other = index + 1; other < figures.length; other++) {
    if ((figures[other] as number) < (figures[index] as number)) swap(figures, other, index)
  }
}

function swap(figures: Gaps, a: number, b: number): void {
  const figure = figures[a] as number
  figures[a] = figures[b] as number
  figures[b] = figure
}
