import { enlarged, increase } from '../../columns/flat-arrays.ts'
import { NOT_NUMERIC, NUMBER, type ParamNumbers } from '../../columns/selection/numbers.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { CellsOfRows } from './measure-query.ts'

/** The numbers of kinds of values are below this. */
const KINDS = 4

/** Counts, for many cells, events with a numeric value and events with another one. */
export class KindCounts {
  /** Counts by cell, then by kind. */
  #counts = new Uint32Array(0)
  /** Counts of the rows being added, by group, then by kind. */
  #lanes = new Uint32Array(KINDS)

  add({ groups: own, indexes, from, to }: Picked, numbers: ParamNumbers, { firstCells, groups }: CellsOfRows): void {
    const { codes, kinds, isComplete } = numbers
    if (this.#lanes.length < KINDS * groups) this.#lanes = new Uint32Array(2 * KINDS * groups)
    const lanes = this.#lanes
    if (isComplete && !own) lanes[NUMBER] = to - from
    else if (isComplete && own)
      for (let row = from; row < to; row++) increase(lanes, KINDS * (own[row] as number) + NUMBER)
    else
      for (let row = from; row < to; row++) {
        const kind = kinds[codes[indexes ? (indexes[row] as number) : row] as number] as number
        increase(lanes, own ? KINDS * (own[row] as number) + kind : kind)
      }
    for (const first of firstCells) this.#addLanes(KINDS * first, KINDS * groups)
    lanes.fill(0, 0, KINDS * groups)
  }

  #addLanes(first: number, length: number): void {
    if (this.#counts.length < first + length) this.#counts = enlarged(this.#counts, 2 * (first + length))
    const [counts, lanes] = [this.#counts, this.#lanes]
    for (let lane = 0; lane < length; lane++) {
      counts[first + lane] = (counts[first + lane] as number) + (lanes[lane] as number)
    }
  }

  of(cell: number): { readonly events: number; readonly notNumeric: number } {
    const first = KINDS * cell
    return { events: this.#counts[first + NUMBER] ?? 0, notNumeric: this.#counts[first + NOT_NUMERIC] ?? 0 }
  }
}
