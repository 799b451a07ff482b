import type { Period } from '../../time/period.ts'

/** An application, and over how many objects the users are spread whose figures are shown. */
export interface ServingLayout {
  readonly applicationId: number
  readonly objects: number
}

/** What is meant: the days of a period of one application. */
export interface FiguresQuery extends Period, ServingLayout {}
