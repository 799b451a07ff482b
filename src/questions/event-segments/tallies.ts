import type { Picked } from '../../columns/selection/selection.ts'
import type { ValueCodes } from './value-tables.ts'

/** How many events of some rows have each value, group by group. The next ones overwrite the arrays. */
export interface Tallies {
  readonly length: number
  /** Ordinals, ascending; 0 where nothing is grouped. */
  readonly groups: Uint32Array
  /** Ascending within a group; events without a value are not counted. */
  readonly ranks: Uint32Array
  readonly counts: Uint32Array
}

/** A table of counts may have so many times as many cells as there are events: going through more takes longer than sorting. */
const CELLS_PER_EVENT = 4
const MIN_CELLS = 4_096

/** Counts each value of each group once, so that what is dear is done once for each, not for each event. */
export function countTallies() {
  const tallies = { length: 0, groups: new Uint32Array(0), ranks: new Uint32Array(0), counts: new Uint32Array(0) }
  let cells = new Uint32Array(0)
  let keys = new Float64Array(0)

  return (rows: Picked, values: ValueCodes, groups: number): Tallies => {
    const length = rows.to - rows.from
    const size = groups * values.count
    makeRoom(length)
    tallies.length = 0
    if (size <= Math.max(MIN_CELLS, CELLS_PER_EVENT * length)) {
      if (cells.length < size) cells = new Uint32Array(size)
      addAll(rows, values, cells)
      collectCells(values.count, size)
    } else {
      if (keys.length < length) keys = new Float64Array(length)
      collectKeys(keysOf(rows, values, keys).sort(), values.count)
    }
    return tallies
  }

  function makeRoom(length: number): void {
    if (tallies.groups.length >= length) return
    for (const name of ['groups', 'ranks', 'counts'] as const) tallies[name] = new Uint32Array(length)
  }

  /** Leaves all cells empty. */
  function collectCells(ranks: number, size: number): void {
    for (let first = 0; first < size; first += ranks) {
      cells[first] = 0
      for (let cell = first + 1; cell < first + ranks; cell++) {
        const count = cells[cell] as number
        if (count === 0) continue
        push(first / ranks, cell - first, count)
        cells[cell] = 0
      }
    }
  }

  function collectKeys(sorted: Float64Array, ranks: number): void {
    for (let index = 0; index < sorted.length; ) {
      const key = sorted[index] as number
      const first = index
      while (sorted[index] === key) index++
      const rank = key % ranks
      if (rank > 0) push((key - rank) / ranks, rank, index - first)
    }
  }

  function push(group: number, rank: number, count: number): void {
    const index = tallies.length++
    tallies.groups[index] = group
    tallies.ranks[index] = rank
    tallies.counts[index] = count
  }
}

function addAll({ groups, indexes, from, to }: Picked, values: ValueCodes, cells: Uint32Array): void {
  const { codes, ranks, count } = values
  for (let row = from; row < to; row++) {
    const rank = ranks[codes[indexes ? (indexes[row] as number) : row] as number] as number
    const cell = groups ? (groups[row] as number) * count + rank : rank
    cells[cell] = (cells[cell] as number) + 1
  }
}

function keysOf({ groups, indexes, from, to }: Picked, values: ValueCodes, keys: Float64Array): Float64Array {
  const { codes, ranks, count } = values
  for (let row = from; row < to; row++) {
    const rank = ranks[codes[indexes ? (indexes[row] as number) : row] as number] as number
    keys[row - from] = groups ? (groups[row] as number) * count + rank : rank
  }
  return keys.subarray(0, to - from)
}
