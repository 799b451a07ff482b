import type { Context, Hono, MiddlewareHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Failure, type FailureKind, type Fault, Invalid } from '../base/errors.ts'
import { logError } from '../base/log.ts'
import type { AppEnv } from './context.ts'
import { forBrowsers } from './for-browsers.ts'

export const STATUS = {
  'key-missing': 401,
  'key-unknown': 401,
  'not-verified': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'not-json': 415,
  'too-many': 429,
  unavailable: 503,
} as const satisfies Record<FailureKind, number>

/** What the sender of a request learns about its failure. */
interface Problem {
  readonly status: ContentfulStatusCode
  /** A complete sentence; for a 422, all faults. */
  readonly detail: string | readonly Fault[]
}

export function toProblem(error: Error, c: Context): Response {
  const { status, detail } = problemOf(error, c)
  return c.json({ detail: status < 500 ? detail : `${detail} Request id: ${c.get('requestId')}` }, status)
}

/** Also sets the response's headers. An unexpected error tells the caller only the request id, under which the log has everything. */
export function problemOf(error: Error, c: Context): Problem {
  if (error instanceof Invalid) return { status: 422, detail: error.faults }
  const failure = failureOf(error)
  if (failure) return problemOfFailure(failure, c)
  if (error instanceof HTTPException) return { status: error.status, detail: error.message }
  logError('request failed', error, { request_id: c.get('requestId') })
  return { status: 500, detail: 'Something went wrong on our side.' }
}

/** Drizzle wraps errors of the database. */
export function failureOf(error: Error): Failure | undefined {
  return [error, error.cause].find((found) => found instanceof Failure)
}

/** When to try again, if nobody knows how long the platform will be unavailable. */
const UNAVAILABLE_RETRY_SECONDS = 5

function problemOfFailure(failure: Failure, c: Context): Problem {
  const status = STATUS[failure.kind]
  if (status === 401) {
    const scheme = failure.kind === 'not-verified' ? 'InitData' : (c.get('challenge') ?? 'ApiKey')
    c.header('WWW-Authenticate', `${scheme} realm="mauve"`)
  }
  const retryAfterSeconds = failure.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_RETRY_SECONDS : undefined)
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
  if (status === 503) logError('unavailable', failure, { request_id: c.get('requestId') })
  return { status, detail: failure.message }
}

/**
 * Answers requests without a route: 405 if the address supports other methods, else 404, which pages of others may read: their
 * tracking clients may send what this service does not take. Not a middleware, which would see every response.
 */
export function notFoundIn(app: Hono<AppEnv>): NotFoundHandler<AppEnv> {
  const tryOthers = methodNotAllowed({ app, onMethodNotAllowed: refuseMethod })
  return async (c) => {
    c.res = c.json({ detail: 'There is nothing at this address.' }, 404)
    await tryOthers(c, async () => undefined)
    const preflight = c.res.status === 404 ? await forBrowsers(c, async () => undefined) : undefined
    // Once there is a response, Hono ignores another one that is only returned.
    if (preflight) c.res = preflight
    return c.res
  }
}

/** Reserves an address whose last word a later route would take for a parameter. */
export function onlyTaking(...methods: string[]): MiddlewareHandler {
  return async (c, next) => (methods.includes(c.req.method) ? next() : refuseMethod(c, methods))
}

function refuseMethod(c: Context, methods: string[]): Response {
  const allow = methods.join(', ')
  return c.json({ detail: `This address takes ${allow} only.` }, 405, { Allow: allow })
}
