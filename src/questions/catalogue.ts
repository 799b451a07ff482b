import { getAcquisitionRoute } from './acquisition/routes.ts'
import { getMonthlyActiveUsersRoute } from './active-users/routes.ts'
import { getBotReachRoute } from './bot-reach/routes.ts'
import type { AnyFigureUsers } from './engine/figures.ts'
import type { AnyReport } from './engine/report.ts'
import type { AskedReport } from './engine/saved.ts'
import { getEnterpriseSummaryRoute } from './enterprise-summary/routes.ts'
import { analyzeEventHoursRoute } from './event-hours/routes.ts'
import { listEventNamesRoute } from './event-names/routes.ts'
import { segmentEventsRoute } from './event-segments/routes.ts'
import { firstEventReport } from './first-event/first-event.ts'
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
import { analyzeRevenueLtvRoute } from './revenue-ltv/routes.ts'
import { averageSessionsRoute, countSessionLengthsRoute, summarizeSessionsRoute } from './sessions/routes.ts'
import { previewSourcesRoute } from './source-preview/routes.ts'
import { analyzeTrendsRoute } from './trends/routes.ts'
import { getUserActivityRoute } from './user-activity/routes.ts'
import { listUserDaysRoute } from './user-days/routes.ts'
import { listUserEventsRoute } from './user-events/routes.ts'
import { countActiveDaysRoute } from './user-frequency/routes.ts'
import { aggregateUsersRoute } from './user-properties/routes.ts'
import { getUserRoute, listUsersRoute } from './users/routes.ts'

/** Every question except those about cohorts, which refer to these, in the reference's order. Add one here. */
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
  // Must follow all other paths below /users: it matches any word there.
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
  getPremiumDistributionRoute,
  listAvailableHandlesRoute,
  // Must follow the others of its path: it matches their last word as a handle.
  getEnterpriseSummaryRoute,
]

/** Reports of what is no question of this list: figures of a page, the preview of sources, and what several questions share. */
const FURTHER_REPORTS: readonly AnyReport[] = [
  ...summarizeSessionsRoute.reports,
  ...previewSourcesRoute.reports,
  firstEventReport,
] as readonly AnyReport[]

/** Every report except those about cohorts. */
export const reports = [...questions.flatMap((one) => one.reports), ...FURTHER_REPORTS]

/** The figures that count users, by the path of their question. */
export const FIGURES: ReadonlyMap<string, AnyFigureUsers> = new Map(
  questions.flatMap(({ contract, users }) => (users ? [[contract.path, users] as const] : [])),
)

/** The questions whose pages' saved reports alerts and digests can be about, by the name of the page. */
export const SAVED: ReadonlyMap<string, AskedReport> = new Map(
  questions.flatMap(({ saved, ask }) => (saved ? [[saved.page, { ...saved, ask }] as const] : [])),
)
