import type { Gaps } from './chains.ts'
import { middleOf } from './median.ts'
import type { FunnelQuery, GroupValues } from './query.ts'
import type { Ways } from './ways.ts'

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
  /** As users have it in their ways. */
  readonly ordinal: number
  readonly values: GroupValues
}

/** Yields after each step. */
export function* figuresOf(
  ways: Ways,
  { steps: names, objects }: FunnelQuery,
  chosen: readonly Chosen[],
): Generator<void, GroupFigures[]> {
  const placeOf = placesOf(ways.groups, chosen)
  const completedBefore = countByPlace(placesOf(ways.completedBefore, chosen), chosen.length)
  const steps: StepFigures[][] = chosen.map(() => [])
  for (const step of names.keys()) {
    const all = gapsOf(ways, { step, placeOf, places: chosen.length })
    for (const [place, gaps] of all.entries()) {
      const [users, sum] = [gaps.length, sumOf(gaps)]
      steps[place]?.push({ users, sum, gaps: objects === 1 ? middleOf(gaps) : gaps })
    }
    yield
  }
  return chosen.map(({ values }, place) => ({
    values,
    completedBefore: completedBefore[place] as number,
    steps: steps[place] as StepFigures[],
  }))
}

const NOWHERE = 0xff

/** The place of each user's group among those that are told of; `NOWHERE` for all others. */
function placesOf(groups: Uint32Array, chosen: readonly Chosen[]): Uint8Array {
  const placeOfGroup = new Uint8Array(Math.max(0, ...chosen.map(({ ordinal }) => ordinal + 1))).fill(NOWHERE)
  for (const [place, { ordinal }] of chosen.entries()) placeOfGroup[ordinal] = place
  const places = new Uint8Array(groups.length).fill(NOWHERE)
  for (let user = 0; user < groups.length; user++) {
    const group = groups[user] as number
    if (group < placeOfGroup.length) places[user] = placeOfGroup[group] as number
  }
  return places
}

function countByPlace(placeOf: Uint8Array, places: number): Uint32Array {
  const counts = new Uint32Array(NOWHERE + 1)
  for (let user = 0; user < placeOf.length; user++) {
    const place = placeOf[user] as number
    counts[place] = (counts[place] as number) + 1
  }
  return counts.subarray(0, places)
}

/** By place the gaps before a step, from 0, of all who got there. The first step has none before it: zeros. */
function gapsOf(
  { furthest, gaps }: Ways,
  { step, placeOf, places }: { step: number; placeOf: Uint8Array; places: number },
): Gaps[] {
  const reached = placeOf.map((place, user) => ((furthest[user] as number) > step ? place : NOWHERE))
  const counts = countByPlace(reached, places)
  const ofStep = gaps[step - 1]
  const lists = Array.from(counts, (users) => new (ofStep ? constructorOf(ofStep) : Uint32Array)(users))
  if (!ofStep) return lists
  const ends = new Uint32Array(places)
  for (let user = 0; user < reached.length; user++) {
    const place = reached[user] as number
    if (place === NOWHERE) continue
    const end = ends[place] as number
    ;(lists[place] as Gaps)[end] = ofStep[user] as number
    ends[place] = end + 1
  }
  return lists
}

function constructorOf(gaps: Gaps): new (length: number) => Gaps {
  return gaps instanceof Uint32Array ? Uint32Array : Float64Array
}

function sumOf(gaps: Gaps): number {
  let sum = 0
  for (let user = 0; user < gaps.length; user++) sum += gaps[user] as number
  return sum
}
