import { getAcquisitionRoute } from './acquisition/routes.ts'
import { getMonthlyActiveUsersRoute } from './active-users/routes.ts'
import { botEventsReport } from './bot-reach/bot-events.ts'
import { getBotReachRoute } from './bot-reach/routes.ts'
import type { AnyReport } from './engine/report.ts'
import { getEnterpriseSummaryRoute } from './enterprise-summary/routes.ts'
import { analyzeEventHoursRoute } from './event-hours/routes.ts'
import { listEventNamesRoute } from './event-names/routes.ts'
import { segmentEventsRoute } from './event-segments/routes.ts'
import { firstEventReport } from './first-event/first-event.ts'
import { firstTouchesReport } from './first-touches/first-touches.ts'
import { analyzeFunnelRoute } from './funnels/routes.ts'
import { getApplicationGrowthRoute, getGrowthTrendRoute } from './growth-trend/routes.ts'
import { listLatestEventsRoute } from './latest-events/routes.ts'
import { countLiveUsersRoute } from './live-users/routes.ts'
import { getEventPathsRoute } from './paths/routes.ts'
import { getPremiumDistributionRoute, listAvailableHandlesRoute } from './premium-distribution/routes.ts'
import { listPropertiesRoute } from './properties/routes.ts'
import { listPropertyValuesRoute } from './property-values/routes.ts'
import { getReferralsRoute, listUserReferralsRoute } from './referrals/routes.ts'
import { analyzeRetentionRoute } from './retention/routes.ts'
import { getRevenueRoute } from './revenue/routes.ts'
import { ruleMatchesReport } from './revenue/rule-matches.ts'
import { userRevenueReport } from './revenue/user-revenue.ts'
import { analyzeRevenueLtvRoute } from './revenue-ltv/routes.ts'
import { averageSessionsRoute, countSessionLengthsRoute, summarizeSessionsRoute } from './sessions/routes.ts'
import { previewSourcesRoute } from './source-preview/routes.ts'
import { analyzeTrendsRoute } from './trends/routes.ts'
import { getUserActivityRoute } from './user-activity/routes.ts'
import {
  deleteCohortRoute,
  exportCohortIdsRoute,
  findUsersRoute,
  getCohortRoute,
  listCohortsRoute,
  listCohortUsersRoute,
  putCohortRoute,
} from './user-cohorts/routes.ts'
import { listUserDaysRoute } from './user-days/routes.ts'
import { listUserEventsRoute } from './user-events/routes.ts'
import { countActiveDaysRoute } from './user-frequency/routes.ts'
import { aggregateUsersRoute } from './user-properties/routes.ts'
import { getUserRoute, listUsersRoute } from './users/routes.ts'

/** Every question, in the order of the document. A new one is a line here. */
export const questions = [
  getMonthlyActiveUsersRoute,
  getGrowthTrendRoute,
  getApplicationGrowthRoute,
  listUsersRoute,
  aggregateUsersRoute,
  getUserActivityRoute,
  countActiveDaysRoute,
  countLiveUsersRoute,
  analyzeRetentionRoute,
  getAcquisitionRoute,
  getBotReachRoute,
  getReferralsRoute,
  averageSessionsRoute,
  countSessionLengthsRoute,
  findUsersRoute,
  // After all other paths below /users: it takes any word there.
  getUserRoute,
  listUserEventsRoute,
  listUserDaysRoute,
  listUserReferralsRoute,
  analyzeFunnelRoute,
  segmentEventsRoute,
  analyzeTrendsRoute,
  analyzeEventHoursRoute,
  getEventPathsRoute,
  listEventNamesRoute,
  listLatestEventsRoute,
  listPropertiesRoute,
  listPropertyValuesRoute,
  getRevenueRoute,
  analyzeRevenueLtvRoute,
  getCohortRoute,
  listCohortUsersRoute,
  getPremiumDistributionRoute,
  listAvailableHandlesRoute,
  // After the others of its path: before them it would take their last word for a handle.
  getEnterpriseSummaryRoute,
]

/** Reports that only pages and exports ask for. */
const OF_PAGES = [
  botEventsReport,
  firstEventReport,
  firstTouchesReport,
  userRevenueReport,
  ruleMatchesReport,
] as readonly AnyReport[]
/** Lists, stores and deletes cohorts, which questions refer to. */
export const cohortOperations = [listCohortsRoute, deleteCohortRoute, putCohortRoute, exportCohortIdsRoute]

/** Every report that objects answer, by name: those of the questions, and those that only pages and exports ask for. */
export const REPORTS: ReadonlyMap<string, AnyReport> = new Map(
  [...[...questions, summarizeSessionsRoute, previewSourcesRoute].flatMap(({ reports }) => reports), ...OF_PAGES].map(
    (report) => [report.name, report],
  ),
)
