import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { AppEnv } from './context.ts'

const ORIGIN = '*'

/**
 * `*` would not cover `authorization`; the last two are those of `@telegram-apps/analytics`. Published clients send each event as a request, so a
 * preflight lasts a day.
 */
const preflight = cors({
  origin: ORIGIN,
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['authorization', 'content-type', 'x-api-key', 'x-project-id', 'content-encoding', 'tga-auth-token'],
  maxAge: 86_400,
})

/** Tracking clients run in other people's pages. Using `cors` for every request would create a second Response for each. */
export const forBrowsers: MiddlewareHandler<AppEnv> = (c, next) => {
  const headers = c.get('headers')
  headers['cross-origin-resource-policy'] = 'cross-origin'
  if (c.req.method === 'OPTIONS') return preflight(c, next)
  headers['access-control-allow-origin'] = ORIGIN
  headers['access-control-expose-headers'] = 'retry-after, x-request-id'
  return next()
}
