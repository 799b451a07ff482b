import type { analyzeRetentionRoute } from '../reports/retention/routes.ts'
import type { Interval } from '../time/intervals.ts'
import { type HeatCell, type HeatRow, HeatTable } from './components/heat-table.tsx'
import { INTERVAL_HEADS, labelOfInterval } from './retention-intervals.ts'

export type Retention = Awaited<ReturnType<(typeof analyzeRetentionRoute)['ask']>>['data'][number]

/** Of everybody or of one group. */
export type Matrix = Pick<Retention, 'cohorts' | 'retentionMatrix' | 'combinedRetention' | 'totalUsers'>

interface TriangleShown {
  readonly title: string
  readonly matrix: Matrix
  readonly interval: Interval
  /** Whether the last interval is not over. */
  readonly isOpen: boolean
}

/** A row for each cohort, and on top all of them together. */
export function Triangle({ title, matrix, interval, isOpen }: TriangleShown) {
  const cohorts = Object.entries(matrix.cohorts)
  const rows = cohorts.map(([firstDay, users], row): HeatRow => {
    const percents = matrix.retentionMatrix[row] ?? []
    return {
      label: labelOfInterval(firstDay, interval),
      users,
      cells: percents.map((percent, column) => ({
        percent: Number(percent),
        of: users,
        isOpen: isOpen && column === percents.length - 1,
      })),
    }
  })
  const sum = { label: 'All', users: matrix.totalUsers, cells: combinedCells(matrix), isSum: true }
  return (
    <HeatTable title={title} of={INTERVAL_HEADS[interval]} columnsOf={`${interval}s later`} rows={[sum, ...rows]} />
  )
}

/** Each column is of those cohorts that have a cell in it. */
export function combinedCells({ cohorts, combinedRetention }: Matrix): HeatCell[] {
  const sizes = Object.values(cohorts)
  return combinedRetention.map((percent, column) => ({
    percent,
    of: sizes.slice(0, sizes.length - column).reduce((sum, size) => sum + size, 0),
  }))
}

/** Of a triangle with so many columns. */
export function cellsOf(columns: number): number {
  return (columns * (columns + 1)) / 2
}
