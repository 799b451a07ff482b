import { type PairCounts, total } from '../../columns/flat-arrays.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { Fraction } from '../engine/change.ts'
import { countOf } from '../engine/series.ts'
import type { SegmentationMode } from './contract.ts'

/** What a mode does not need is not counted, and is 0. */
export interface Counts {
  readonly users: number
  readonly events: number
}

/** Written out: it adds up every interval of every group, and a `record` takes four times as long. */
export function segmentCounts(a: Counts, b: Counts): Counts {
  return { users: a.users + b.users, events: a.events + b.events }
}

export function needsUsers(mode: SegmentationMode): boolean {
  return mode !== 'totals'
}

export function needsEvents(mode: SegmentationMode): boolean {
  return mode === 'totals' || mode === 'average'
}

/** The figure of some counts; `active` are all active users of the same time. */
export const FIGURES: Readonly<Record<SegmentationMode, (counts: Counts, active: number) => Fraction>> = {
  uniques: ({ users }) => countOf(users),
  totals: ({ events }) => countOf(events),
  average: ({ users, events }) => ({ part: events, whole: users }),
  pct_dau: ({ users }, active) => ({ part: 100 * users, whole: active }),
}

/** Adds the events of some rows to those of their groups; to index 0 if nothing is grouped. */
export function countEvents(rows: Picked, counts: PairCounts | null, events: Uint32Array): void {
  const { groups, from, to } = rows
  if (!groups) events[0] = (events[0] as number) + (counts ? total(counts.subarray(from, to)) : to - from)
  else if (counts) addEventCounts(groups, counts, from, to, events)
  else addOnes(groups, from, to, events)
}

function addEventCounts(groups: Uint32Array, counts: PairCounts, from: number, to: number, events: Uint32Array): void {
  for (let index = from; index < to; index++) {
    const group = groups[index] as number
    events[group] = (events[group] as number) + (counts[index] as number)
  }
}

function addOnes(groups: Uint32Array, from: number, to: number, events: Uint32Array): void {
  for (let index = from; index < to; index++) {
    const group = groups[index] as number
    events[group] = (events[group] as number) + 1
  }
}
