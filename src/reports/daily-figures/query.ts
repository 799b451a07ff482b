import type { Period } from '../../time/period.ts'

/** What is meant: the days of a period of one application. */
export interface FiguresQuery extends Period {
  readonly applicationId: number
}
