import { decimalOf, digitsAt, quotientOf } from '../../base/decimal.ts'
import { toDate } from '../../base/time/days.ts'
import { type CohortIntervals, type CombinedColumn, combinedColumns } from '../retention/finished.ts'
import { toPercentages } from '../retention/retention.ts'
import { rowStartsOf } from '../retention/returns.ts'
import type { LtvCounts } from './paid-cells.ts'

/** The answer's matrix of a group, or of all users. */
export interface LtvMatrix {
  readonly cohorts: Record<string, number>
  readonly ltvMatrix: string[][]
  readonly combinedLtv: number[]
  readonly combinedComplete: boolean[]
  readonly payersMatrix: string[][]
  readonly totalUsers: number
}

export function toLtvMatrix({ users, beginners, net }: LtvCounts, intervals: CohortIntervals): LtvMatrix {
  const all = Array.from(users)
  const amounts = addUp(net, all.length)
  const columns = combinedColumns(users, intervals)
  return {
    cohorts: Object.fromEntries(all.map((count, row) => [toDate(intervals.bounds[row] as number), count])),
    ltvMatrix: toCells(amounts, all),
    combinedLtv: combine(amounts, all, columns),
    combinedComplete: columns.map(({ isComplete }) => isComplete),
    payersMatrix: toPercentages(users, addUpRows(beginners, all.length)),
    totalUsers: all.reduce((sum, count) => sum + count, 0),
  }
}

/** Amounts of money, in units of 1 / 10^scale. */
interface CellAmounts {
  /** Per cohort: the amounts up to the end of each interval. */
  readonly rows: readonly (readonly bigint[])[]
  readonly scale: number
}

function addUp(net: LtvCounts['net'], cohorts: number): CellAmounts {
  const rowStarts = rowStartsOf(cohorts)
  const scale = net.reduce((most, [, amount]) => Math.max(most, amount.scale), 0)
  const amounts = new Map(net.map(([cell, amount]) => [cell, digitsAt(amount, scale)]))
  const rows = Array.from({ length: cohorts }, (_, row) => {
    let sum = 0n
    const first = rowStarts[row] as number
    return Array.from({ length: cohorts - row }, (_, index) => {
      sum += amounts.get(first + index) ?? 0n
      return sum
    })
  })
  return { rows, scale }
}

/** Adds up beginners: users who first paid in an interval count in all later ones. */
function addUpRows(beginners: Uint32Array, cohorts: number): Uint32Array {
  const rowStarts = rowStartsOf(cohorts)
  const sums = beginners.slice()
  for (let row = 0; row < cohorts; row++) {
    const end = rowStarts[row + 1] as number
    for (let cell = (rowStarts[row] as number) + 1; cell < end; cell++) {
      sums[cell] = (sums[cell] as number) + (sums[cell - 1] as number)
    }
  }
  return sums
}

function toCells({ rows, scale }: CellAmounts, users: readonly number[]): string[][] {
  const unit = 10n ** BigInt(scale)
  return rows.map((row, cohort) => {
    const whole = BigInt(users[cohort] as number) * unit
    let [last, text] = [0n, toMoney(0n, whole)]
    return row.map((amount) => {
      // Most intervals add nothing.
      if (amount !== last) text = toMoney(amount, whole)
      last = amount
      return text
    })
  })
}

const DECIMALS = 4
const ONE = 10n ** BigInt(DECIMALS)

/** Formats a quotient with four decimals, halves away from zero; 0 without users. */
function toMoney(part: bigint, whole: bigint): string {
  const size = part < 0n ? -part : part
  const rounded = whole === 0n ? 0n : (2n * ONE * size + whole) / (2n * whole)
  const text = `${rounded / ONE}.${String(rounded % ONE).padStart(DECIMALS, '0')}`
  return part < 0n && rounded > 0n ? `-${text}` : text
}

/** Per column: the amount per user of the cohorts that count in it. */
function combine({ rows, scale }: CellAmounts, users: readonly number[], columns: readonly CombinedColumn[]): number[] {
  return columns.map((column, index) => {
    let [sum, whole] = [0n, 0]
    for (let row = 0; row < column.rows; row++) {
      sum += rows[row]?.[index] ?? 0n
      whole += users[row] as number
    }
    return whole === 0 ? 0 : quotientOf(decimalOf(sum, scale), decimalOf(BigInt(whole)))
  })
}
