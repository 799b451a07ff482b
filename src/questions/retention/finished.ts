import type { CellOf } from '../engine/contract.ts'
import type { retentionFigures } from './contract.ts'
import type { RetentionQuery } from './query.ts'

/** The first day of each interval and the day after the last, and how many intervals, from the first, are over. */
export interface CohortIntervals {
  readonly bounds: readonly number[]
  readonly finished: number
}

/**
 * The intervals that are over today: all except possibly the last one. In mode `unbounded`, a return in the last one
 * counts in all before it, so none is finished until the last one is over.
 */
export function intervalsAt({ bounds, mode }: Pick<RetentionQuery, 'bounds' | 'mode'>, today: number): CohortIntervals {
  const intervals = Math.max(0, bounds.length - 1)
  if ((bounds.at(-1) ?? today) <= today) return { bounds, finished: intervals }
  return { bounds, finished: mode === 'unbounded' ? 0 : intervals - 1 }
}

/** The cohorts that a combined figure counts, for one offset from each cohort's own interval. */
export interface CombinedColumn {
  /** How many cohorts count, from the first on. */
  readonly rows: number
  /** Whether that interval is over for them. If it is for no cohort with users, all that have begun it count. */
  readonly isComplete: boolean
}

/** One combined column per interval. `users` has the users of each cohort. */
export function combinedColumns(users: Uint32Array, { finished }: Pick<CohortIntervals, 'finished'>): CombinedColumn[] {
  const firstRow = users.findIndex((count) => count > 0)
  return Array.from(users, (_, column) => {
    const isComplete = firstRow !== -1 && firstRow < finished - column
    return { rows: isComplete ? finished - column : users.length - column, isComplete }
  })
}

/** A cohort, or a cell of its returns. */
export interface CohortCell {
  /** The index of the cohort; null for all cohorts, -1 for one that does not exist. */
  readonly cohort: number | null
  /** The number of intervals after the cohort's own; null for the users of the cohort themselves. */
  readonly offset: number | null
  /** The number of cohorts, from the first one on, that may count. */
  readonly rows: number
}

export function cohortCellOf(
  { cohort, offset, complete }: CellOf<typeof retentionFigures>,
  { bounds, finished }: CohortIntervals,
): CohortCell {
  const isOfFinished = cohort === undefined && offset !== undefined && complete
  return {
    cohort: cohort === undefined ? null : bounds.slice(0, -1).indexOf(cohort),
    offset: offset ?? null,
    rows: (isOfFinished ? finished : bounds.length - 1) - (offset ?? 0),
  }
}
