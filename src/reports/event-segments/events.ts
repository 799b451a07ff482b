import type { Picked } from '../../selection/selection.ts'

/** Adds the events of some rows to those of their groups; all in one place where nothing is grouped. */
export function countEvents(rows: Picked, counts: Uint32Array | null, events: Uint32Array): void {
  const { groups, from, to } = rows
  if (!groups) events[0] = (events[0] as number) + (counts ? sumOf(counts, from, to) : to - from)
  else if (counts) addCounts(groups, counts, from, to, events)
  else addOnes(groups, from, to, events)
}

function sumOf(counts: Uint32Array, from: number, to: number): number {
  let sum = 0
  for (let place = from; place < to; place++) sum += counts[place] as number
  return sum
}

function addCounts(groups: Uint32Array, counts: Uint32Array, from: number, to: number, events: Uint32Array): void {
  for (let place = from; place < to; place++) {
    const group = groups[place] as number
    events[group] = (events[group] as number) + (counts[place] as number)
  }
}

function addOnes(groups: Uint32Array, from: number, to: number, events: Uint32Array): void {
  for (let place = from; place < to; place++) {
    const group = groups[place] as number
    events[group] = (events[group] as number) + 1
  }
}
