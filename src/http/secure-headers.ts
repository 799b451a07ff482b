import type { Context } from 'hono'
import type { AppEnv } from './context.ts'

/** Names the request in every answer. */
export const REQUEST_ID = 'x-request-id'

/** The answers of an API are data: nothing may run, frame or cache them. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The headers of an answer, before anything is added to them on the way. */
export function startHeaders(requestId: string): Record<string, string> {
  return { ...HEADERS, [REQUEST_ID]: requestId }
}

/**
 * Adds the request id, the security headers and whatever was set on the way. Headers that the answer has already win: a page
 * brings its own `content-security-policy`.
 */
export function finishHeaders(c: Context<AppEnv>): void {
  if (c.get('hasHeaders')) return
  const { headers } = c.res
  for (const [name, value] of Object.entries(c.get('headers'))) if (!headers.has(name)) headers.set(name, value)
}
