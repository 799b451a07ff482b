import type { RetentionQuery } from './query.ts'

/** A question's intervals: the first day of each and the day after the last, and how many of them, from the first, are over. */
export interface CohortIntervals {
  readonly bounds: readonly number[]
  readonly finished: number
}

/**
 * On a day, all intervals are over except possibly the last. In mode `unbounded`, a return in the last one counts in all before it: none is
 * finished until that is over.
 */
export function intervalsAt({ bounds, mode }: Pick<RetentionQuery, 'bounds' | 'mode'>, today: number): CohortIntervals {
  const intervals = Math.max(0, bounds.length - 1)
  if ((bounds.at(-1) ?? today) <= today) return { bounds, finished: intervals }
  return { bounds, finished: mode === 'unbounded' ? 0 : intervals - 1 }
}

/** Which cohorts a figure of all of them counts, so many intervals after their own. */
export interface CombinedColumn {
  /** How many cohorts count, from the first on. */
  readonly rows: number
  /** Whether that interval is over for them. If it is for no cohort with users, all that have begun it count. */
  readonly isComplete: boolean
}

/** One for each interval. `users` are those of each cohort. */
export function combinedColumns(users: Uint32Array, { finished }: Pick<CohortIntervals, 'finished'>): CombinedColumn[] {
  const firstRow = users.findIndex((count) => count > 0)
  return Array.from(users, (_, column) => {
    const isComplete = firstRow !== -1 && firstRow < finished - column
    return { rows: isComplete ? finished - column : users.length - column, isComplete }
  })
}
