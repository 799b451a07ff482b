import type { ListQuery } from '../engine/lists.ts'
import { sizesReport } from '../engine/sizes.ts'
import { type CohortQuery, sizesOf } from './cohort.ts'

/** The groups of new users with their sizes. */
export const groupSizesReport = sizesReport<CohortQuery & ListQuery>('sizes of acquired groups', sizesOf)
