import { questions, reports } from './catalogue.ts'
import type { AnyReport } from './engine/report.ts'
import {
  deleteCohortRoute,
  exportCohortIdsRoute,
  findUsersRoute,
  getCohortRoute,
  listCohortsRoute,
  listCohortUsersRoute,
  putCohortRoute,
} from './user-cohorts/routes.ts'

const ABOUT_COHORTS = [getCohortRoute, listCohortUsersRoute, findUsersRoute]

/** Every operation of this room, in the reference's order. Those of users in general match any word, so come last. */
export const questionOperations = [
  listCohortsRoute,
  deleteCohortRoute,
  putCohortRoute,
  exportCohortIdsRoute,
  ...ABOUT_COHORTS,
  ...questions,
]

/** Every report that objects answer, by name. */
export const REPORTS: ReadonlyMap<string, AnyReport> = new Map(
  [...reports, ...ABOUT_COHORTS.flatMap((one) => one.reports)].map((report) => [report.name, report]),
)
