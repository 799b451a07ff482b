import { toDate } from '../../time/days.ts'
import type { CohortCounts } from './returns.ts'
import { rowStartsOf } from './triangle.ts'

/** What is shown of a group, or of everybody. */
export interface Matrix {
  readonly cohorts: Record<string, number>
  readonly retentionMatrix: string[][]
  readonly combinedRetention: number[]
  readonly totalUsers: number
}

/** `bounds` are the first days of the cohorts, and the day after the last one. */
export function toMatrix({ users, returned }: CohortCounts, bounds: readonly number[]): Matrix {
  const all = Array.from(users)
  return {
    cohorts: Object.fromEntries(all.map((count, row) => [toDate(bounds[row] as number), count])),
    retentionMatrix: toRows(users, returned),
    combinedRetention: combine(users, returned),
    totalUsers: all.reduce((sum, count) => sum + count, 0),
  }
}

/** In plain loops, like the next one: of the largest answer there are more than a million cells. */
function toRows(users: Uint32Array, returned: Uint32Array): string[][] {
  const rowStarts = rowStartsOf(users.length)
  const rows: string[][] = []
  for (let row = 0; row < users.length; row++) {
    const cells: string[] = []
    const end = rowStarts[row + 1] as number
    for (let cell = rowStarts[row] as number; cell < end; cell++) {
      cells.push(toCell(returned[cell] as number, users[row] as number))
    }
    rows.push(cells)
  }
  return rows
}

function combine(users: Uint32Array, returned: Uint32Array): number[] {
  const rowStarts = rowStartsOf(users.length)
  const combined: number[] = []
  for (let place = 0; place < users.length; place++) {
    let [back, whole] = [0, 0]
    // The last rows have no cell in this place.
    for (let row = 0; row < users.length - place; row++) {
      back += returned[(rowStarts[row] as number) + place] as number
      whole += users[row] as number
    }
    combined.push(percentOf(back, whole))
  }
  return combined
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole
}

/** 100 percent in hundredths of a percent. */
const WHOLE_HUNDREDTHS = 10_000

/** The text of each percentage, made once: with all places there from the beginning they are quickly found. */
const CELLS: (string | undefined)[] = Array.from({ length: WHOLE_HUNDREDTHS + 1 })

/** Percent with two decimals, halves up, from whole numbers: below 2^53 the floor of their quotient is exact. */
function toCell(part: number, whole: number): string {
  const hundredths = whole === 0 ? 0 : Math.floor((2 * WHOLE_HUNDREDTHS * part + whole) / (2 * whole))
  CELLS[hundredths] ??= `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
  return CELLS[hundredths] as string
}
