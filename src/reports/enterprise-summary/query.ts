import type { Period } from '../../time/period.ts'

/** What is meant: the users who were active in a period, and their sessions that began in it. */
export type EnterpriseSummaryQuery = Period
