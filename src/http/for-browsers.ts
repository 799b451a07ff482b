import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

const ORIGIN = '*'

/** `*` does not cover `authorization`. Every event is a request of its own, so a preflight had better last for a day. */
const preflight = cors({
  origin: ORIGIN,
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['authorization', 'content-type', 'x-api-key', 'x-project-id'],
  maxAge: 86_400,
})

/** Tracking clients run in other people's pages. The whole of `cors` would cost each answer a second Response. */
export const forBrowsers: MiddlewareHandler = (c, next) => {
  if (c.req.method === 'OPTIONS') return preflight(c, next)
  c.header('Access-Control-Allow-Origin', ORIGIN)
  return next()
}
