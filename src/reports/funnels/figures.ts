import type { GroupValues } from '../groups.ts'
import type { Found } from './found.ts'
import { middleOf } from './median.ts'
import type { FunnelQuery } from './query.ts'
import type { Gaps, Ways } from './ways.ts'

/** What one object tells of a group's users. */
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

/** A group to tell of. */
export interface Chosen {
  /** As ways have it. */
  readonly ordinal: number
  readonly values: GroupValues
}

/** Yields after each step. */
export function* figuresOf(
  { now, before }: Found,
  { steps: names, objects }: FunnelQuery,
  chosen: readonly Chosen[],
): Generator<void, GroupFigures[]> {
  const placeOf = placesOf(now, chosen)
  const users = usersOf(now, { placeOf, places: chosen.length, steps: names.length })
  const usersBefore = usersOf(before, { placeOf: placesOf(before, chosen), places: chosen.length, steps: names.length })
  const steps: StepFigures[][] = chosen.map(() => [])
  for (const step of names.keys()) {
    const gaps = gapsOf(now, { step, placeOf, users: users.map((byStep) => byStep[step] as number) })
    for (const [place, all] of gaps.entries()) {
      const [count, sum] = [users[place]?.[step] as number, sumOf(all)]
      steps[place]?.push({ users: count, sum, gaps: objects === 1 ? middleOf(all) : all })
    }
    yield
  }
  return chosen.map(({ values }, place) => ({
    values,
    completedBefore: usersBefore[place]?.at(-1) as number,
    steps: steps[place] as StepFigures[],
  }))
}

const NOWHERE = 0xff

/** For each way the place of its group among those that are told of; `NOWHERE` for all others. */
function placesOf({ length, groups }: Ways, chosen: readonly Chosen[]): Uint8Array {
  const placeOfGroup = new Uint8Array(Math.max(0, ...chosen.map(({ ordinal }) => ordinal + 1))).fill(NOWHERE)
  for (const [place, { ordinal }] of chosen.entries()) placeOfGroup[ordinal] = place
  const places = new Uint8Array(length).fill(NOWHERE)
  for (let way = 0; way < length; way++) {
    const group = groups[way] as number
    if (group < placeOfGroup.length) places[way] = placeOfGroup[group] as number
  }
  return places
}

/** By place and step, from 0, how many reached it. */
function usersOf(
  { furthest }: Ways,
  { placeOf, places, steps }: { placeOf: Uint8Array; places: number; steps: number },
): number[][] {
  const counts = new Uint32Array((NOWHERE + 1) * (steps + 1))
  for (let way = 0; way < placeOf.length; way++) {
    const cell = (placeOf[way] as number) * (steps + 1) + (furthest[way] as number)
    counts[cell] = (counts[cell] as number) + 1
  }
  return Array.from({ length: places }, (_, place) => {
    const byFurthest = counts.subarray(place * (steps + 1), (place + 1) * (steps + 1))
    return Array.from({ length: steps }, (_, step) => byFurthest.subarray(step + 1).reduce((a, b) => a + b, 0))
  })
}

/** By place the gaps before a step, from 0, of all who reached it; the first step has none before it. */
function gapsOf(
  { furthest, gaps }: Ways,
  { step, placeOf, users }: { step: number; placeOf: Uint8Array; users: readonly number[] },
): Gaps[] {
  const ofStep = gaps[step - 1]
  if (!ofStep) return users.map(() => new Uint32Array(0))
  const lists = users.map((count) => emptyLike(ofStep, count))
  const ends = new Uint32Array(users.length)
  for (let way = 0; way < placeOf.length; way++) {
    const place = placeOf[way] as number
    if (place === NOWHERE || (furthest[way] as number) <= step) continue
    const end = ends[place] as number
    ;(lists[place] as Gaps)[end] = ofStep[way] as number
    ends[place] = end + 1
  }
  return lists
}

function emptyLike(gaps: Gaps, length: number): Gaps {
  return gaps instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length)
}

function sumOf(gaps: Gaps): number {
  let sum = 0
  for (let place = 0; place < gaps.length; place++) sum += gaps[place] as number
  return sum
}
