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
  const rowStarts = rowStartsOf(users.length)
  const all = Array.from(users)
  return {
    cohorts: Object.fromEntries(all.map((count, row) => [toDate(bounds[row] as number), count])),
    retentionMatrix: all.map((count, row) =>
      Array.from(returned.subarray(rowStarts[row], rowStarts[row + 1]), (back) => toCell(back, count)),
    ),
    combinedRetention: all.map((_, place) => {
      // The last rows have no cell in this place.
      const rows = all.slice(0, all.length - place)
      const back = rows.map((_, row) => returned[(rowStarts[row] as number) + place] as number)
      return percentOf(sumOf(back), sumOf(rows))
    }),
    totalUsers: sumOf(all),
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole
}

/** Each text once: of the largest answer there are more than a million cells. */
const CELLS: string[] = []

/** Percent with two decimals, halves up, from whole numbers all the way. */
function toCell(part: number, whole: number): string {
  const doubled = whole === 0 ? 0 : 20_000 * part + whole
  const hundredths = whole === 0 ? 0 : (doubled - (doubled % (2 * whole))) / (2 * whole)
  CELLS[hundredths] ??= `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
  return CELLS[hundredths] as string
}
