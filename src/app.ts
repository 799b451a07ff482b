import { Hono } from 'hono'
import { issueKeyRoute, listKeysRoute, revokeKeyRoute } from './accounts/routes.ts'
import { withContext } from './api/with-context.ts'
import {
  getApplicationRoute,
  listApplicationsRoute,
  registerApplicationRoute,
  updateApplicationRoute,
} from './applications/routes.ts'
import { mountAssets } from './assets/routes.ts'
import { getCaptureSettingsRoute, getClientConfigRoute, updateCaptureSettingsRoute } from './client-config/routes.ts'
import { collectEventsRoute } from './collection/routes.ts'
import type { AppEnv } from './context.ts'
import { mountDashboard } from './dashboard/routes.tsx'
import { deleteApplicationRoute } from './deletion/routes.ts'
import { eraseUserRoute } from './erasure/routes.ts'
import { exportEventsRoute, exportUsersRoute } from './export/routes.ts'
import { forBrowsers } from './http/for-browsers.ts'
import { health } from './http/health.ts'
import * as problem from './http/problem.ts'
import { importEventsRoute } from './import/routes.ts'
import { mountReference } from './reference/routes.ts'
import { getMonthlyActiveUsersRoute } from './reports/active-users/routes.ts'
import { getEnterpriseSummaryRoute } from './reports/enterprise-summary/routes.ts'
import { listEventNamesRoute } from './reports/event-names/routes.ts'
import { segmentEventsRoute } from './reports/event-segments/routes.ts'
import { analyzeFunnelRoute } from './reports/funnels/routes.ts'
import { getApplicationGrowthRoute, getGrowthTrendRoute } from './reports/growth-trend/routes.ts'
import { listLatestEventsRoute } from './reports/latest-events/routes.ts'
import { getEventPathsRoute } from './reports/paths/routes.ts'
import { getPremiumDistributionRoute, listAvailableHandlesRoute } from './reports/premium-distribution/routes.ts'
import { listPropertiesRoute } from './reports/properties/routes.ts'
import { listPropertyValuesRoute } from './reports/property-values/routes.ts'
import { analyzeRetentionRoute } from './reports/retention/routes.ts'
import { averageSessionsRoute, countSessionLengthsRoute } from './reports/sessions/routes.ts'
import { getUserActivityRoute } from './reports/user-activity/routes.ts'
import { listUserEventsRoute } from './reports/user-events/routes.ts'
import { aggregateUsersRoute } from './reports/user-properties/routes.ts'
import { getUserRoute, listUsersRoute } from './reports/users/routes.ts'

export const app = new Hono<AppEnv>()

app.onError(problem.toProblem)
app.notFound(problem.notFoundIn(app))
app.use(withContext)
app.use('/v1/client/*', forBrowsers)
// An application of this handle is found at /applications/@register.
app.use('/applications/register', problem.onlyTaking('POST'))
// Nobody can be erased there.
for (const path of ['/users/segmentation', '/users/activity']) app.use(path, problem.onlyTaking('GET', 'HEAD'))

export const operations = [
  registerApplicationRoute,
  listApplicationsRoute,
  getApplicationRoute,
  updateApplicationRoute,
  deleteApplicationRoute,
  getCaptureSettingsRoute,
  updateCaptureSettingsRoute,
  listKeysRoute,
  issueKeyRoute,
  revokeKeyRoute,
  getMonthlyActiveUsersRoute,
  getGrowthTrendRoute,
  getApplicationGrowthRoute,
  listUsersRoute,
  aggregateUsersRoute,
  getUserActivityRoute,
  analyzeRetentionRoute,
  averageSessionsRoute,
  countSessionLengthsRoute,
  // After all other paths below /users: it takes any word there.
  getUserRoute,
  eraseUserRoute,
  listUserEventsRoute,
  analyzeFunnelRoute,
  segmentEventsRoute,
  getEventPathsRoute,
  listEventNamesRoute,
  listLatestEventsRoute,
  listPropertiesRoute,
  listPropertyValuesRoute,
  getPremiumDistributionRoute,
  listAvailableHandlesRoute,
  // After the others of its path: before them it would take their last word for a handle.
  getEnterpriseSummaryRoute,
  getClientConfigRoute,
  collectEventsRoute,
  exportEventsRoute,
  exportUsersRoute,
  importEventsRoute,
]

app.get('/health', health)
for (const operation of operations) operation.mount(app)
mountReference(app, operations)
mountDashboard(app)
mountAssets(app)
