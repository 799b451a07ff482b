import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { registerApplicationRoute } from './applications/routes.ts'
import { getClientConfigRoute } from './client-config/routes.ts'
import { collectEventsRoute } from './collection/routes.ts'
import * as problem from './http/problem.ts'
import { type AppEnv, withContext } from './http/with-context.ts'
import { getMonthlyActiveUsersRoute } from './reports/active-users/routes.ts'
import { getGrowthTrendRoute } from './reports/growth-trend/routes.ts'
import { getPremiumDistributionRoute, listAvailableHandlesRoute } from './reports/premium-distribution/routes.ts'
import { listUsersRoute } from './reports/users/routes.ts'

export const app = new Hono<AppEnv>()

app.onError(problem.toProblem)
app.notFound(problem.notFound)
app.use(methodNotAllowed({ app, onMethodNotAllowed: problem.methodNotAllowed }))

// Tracking clients run in other people's pages; nothing else is for browsers. `*` would not cover `authorization`.
app.use(
  '/v1/client/*',
  cors({
    origin: '*',
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['authorization', 'content-type', 'x-api-key', 'x-project-id'],
    maxAge: 86_400,
  }),
)

app.use(withContext)

const operations = [
  registerApplicationRoute,
  getMonthlyActiveUsersRoute,
  getGrowthTrendRoute,
  listUsersRoute,
  getPremiumDistributionRoute,
  listAvailableHandlesRoute,
  getClientConfigRoute,
  collectEventsRoute,
]

for (const operation of operations) operation.mount(app)
