/**
 * How far the deletion of an application is.
 *
 * - `objects`: fences are raised, and its objects drop their columns.
 * - `rows`: rows go, table by table of each database that there is (it may have been moved just now), then its figures.
 * - `rest`: its dead letters go, and objects drop what was asked for meanwhile by somebody who still knew a key.
 */
export interface DeletionProgress {
  readonly stage: 'objects' | 'rows' | 'rest'
  /** Over how many objects its users were spread: all numbers that there were columns of. */
  readonly layouts: readonly number[]
  /** Which of the tables is next. */
  readonly table: number
}

/** Of a deletion that has not begun. */
export const FIRST_PROGRESS: DeletionProgress = { stage: 'objects', layouts: [], table: 0 }
