import type { Interval } from '../../../base/time/intervals.ts'
import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { toDay, toMonth, toWeekday } from '../../format.ts'
import { type HeatCell, type HeatRow, HeatTable } from './heat-table.tsx'

export type RetentionAnswer = Awaited<ReturnType<(typeof analyzeRetentionRoute)['ask']>>['data'][number]

/** Of everybody or of one group. */
export type CohortTriangle = Pick<RetentionAnswer, 'cohorts' | 'retentionMatrix' | 'combinedRetention' | 'totalUsers'>

interface TriangleShown {
  readonly title: string
  readonly matrix: CohortTriangle
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
    <HeatTable title={title} of={INTERVAL_HEADS[interval]} columnsOf={INTERVAL_NAMES[interval]} rows={[sum, ...rows]} />
  )
}

/** Each column is of those cohorts that have a cell in it. */
export function combinedCells({ cohorts, combinedRetention }: CohortTriangle): HeatCell[] {
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

export const INTERVAL_NAMES: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week', month: 'Month' }

/** The interval that begins on a day, for people. */
function labelOfInterval(firstDay: string, interval: Interval): string {
  return { day: toWeekday, week: toDay, month: toMonth }[interval](firstDay)
}

/** What stands over the first days of intervals. */
const INTERVAL_HEADS: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week from', month: 'Month' }
