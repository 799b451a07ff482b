import { Hono } from 'hono'
import { addAnnotationRoute, deleteAnnotationRoute, listAnnotationsRoute } from './accounts/annotations/routes.ts'
import { listAuditEntriesRoute } from './accounts/audit/routes.ts'
import {
  getCaptureSettingsRoute,
  getClientConfigRoute,
  updateCaptureSettingsRoute,
} from './accounts/client-config/routes.ts'
import { issueKeyRoute, listKeysRoute, revokeKeyRoute } from './accounts/routes.ts'
import { getSourcesRoute, replaceSourcesRoute } from './accounts/sources/routes.ts'
import { mountAssistants } from './assistants/routes.ts'
import { collectEventsRoute, collectSdkEventsRoute, SDK_EXTRAS, sdkExtra, sdkThreshold } from './collection/routes.ts'
import { PAGES_OF_QUESTIONS } from './dashboard/frame/question-address.ts'
import { asPageForBrowsers } from './dashboard/pages/error/page.tsx'
import { mountDashboard } from './dashboard/routes.tsx'
import { withContext } from './http/api/with-context.ts'
import { mountAssets } from './http/assets/routes.ts'
import type { AppEnv } from './http/context.ts'
import { forBrowsers } from './http/for-browsers.ts'
import { health } from './http/health.ts'
import { metricsRoute } from './http/metrics.ts'
import * as problem from './http/problem.ts'
import { mountReference, referenceMaker } from './http/reference/routes.ts'
import {
  getApplicationRoute,
  listApplicationsRoute,
  registerApplicationRoute,
  updateApplicationRoute,
} from './lifecycle/applications/routes.ts'
import { deleteApplicationRoute } from './lifecycle/deletion/routes.ts'
import { eraseUserRoute } from './lifecycle/erasure/routes.ts'
import { exportEventsRoute, exportUsersRoute } from './lifecycle/export/routes.ts'
import { importEventsRoute } from './lifecycle/import/routes.ts'
import { readMetrics } from './metrics.ts'
import { mountBot } from './notifications/bot/routes.ts'
import { subscriptionOperations } from './notifications/routes.ts'
import { questionOperations } from './questions/operations.ts'
import { getRevenueRulesRoute, replaceRevenueRulesRoute } from './questions/revenue-rules/routes.ts'
import { previewSourcesRoute } from './questions/source-preview/routes.ts'
import { findCohorts } from './questions/user-cohorts/cohorts.ts'

export const app = new Hono<AppEnv>()

app.onError(problem.toProblem)
app.notFound(asPageForBrowsers(problem.notFoundIn(app)))
app.use((c, next) => {
  c.set('findCohorts', findCohorts)
  return withContext(c, next)
})
app.use('/v1/client/*', forBrowsers)
app.on(['POST', 'OPTIONS'], '/events', forBrowsers)
app.use('/events/threshold', forBrowsers)
// An application of this handle is found at /applications/@register.
app.use('/applications/register', problem.onlyTaking('POST'))
// Questions beside the path of a user: nobody can be erased there.
for (const { contract } of questionOperations)
  if (/^\/users\/\w+$/.test(contract.path)) app.use(contract.path, problem.onlyTaking('GET', 'HEAD'))

export const operations = [
  registerApplicationRoute,
  listApplicationsRoute,
  getApplicationRoute,
  updateApplicationRoute,
  deleteApplicationRoute,
  getCaptureSettingsRoute,
  updateCaptureSettingsRoute,
  getSourcesRoute,
  replaceSourcesRoute,
  previewSourcesRoute,
  listKeysRoute,
  issueKeyRoute,
  revokeKeyRoute,
  listAuditEntriesRoute,
  listAnnotationsRoute,
  addAnnotationRoute,
  deleteAnnotationRoute,
  getRevenueRulesRoute,
  replaceRevenueRulesRoute,
  ...subscriptionOperations,
  ...questionOperations,
  eraseUserRoute,
  collectEventsRoute,
  collectSdkEventsRoute,
  getClientConfigRoute,
  exportEventsRoute,
  exportUsersRoute,
  importEventsRoute,
]

app.get('/health', health)
app.get('/events/threshold', sdkThreshold)
app.on(['GET', 'POST', 'OPTIONS'], SDK_EXTRAS, forBrowsers, sdkExtra)
app.get('/metrics', metricsRoute(readMetrics))
for (const operation of operations) operation.mount(app)
const document = referenceMaker(operations)
mountReference(app, { operations, document })
mountAssistants(app, { operations, document, pages: PAGES_OF_QUESTIONS })
mountBot(app)
mountDashboard(app)
mountAssets(app)
