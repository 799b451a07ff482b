import type { Context, Env, Hono, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { Failure, type FailureKind, Invalid } from '../errors.ts'
import { logError } from '../log.ts'

const STATUS = {
  'key-missing': 401,
  'key-unknown': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'not-json': 415,
  'too-many': 429,
  unavailable: 503,
} as const satisfies Record<FailureKind, number>

/** Turns every failure into an answer. An unexpected error tells the caller nothing and the log everything. */
export function toProblem(error: Error, c: Context): Response {
  if (error instanceof Invalid) return c.json({ detail: error.faults }, 422)
  const failure = failureOf(error)
  if (failure) return fromFailure(failure, c)
  if (error instanceof HTTPException) return c.json({ detail: error.message }, error.status)
  return fromUnknown(error, c)
}

/** Drizzle wraps what a call of the database throws. */
function failureOf(error: Error): Failure | undefined {
  return [error, error.cause].find((found) => found instanceof Failure)
}

/** When to try again, where nobody knows how long the platform will be away. */
const UNAVAILABLE_RETRY_SECONDS = 5

function fromFailure(failure: Failure, c: Context): Response {
  const status = STATUS[failure.kind]
  if (status === 401) c.header('WWW-Authenticate', 'ApiKey realm="mauve"')
  const retryAfterSeconds = failure.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_RETRY_SECONDS : undefined)
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
  if (status !== 503) return c.json({ detail: failure.message }, status)
  logError('unavailable', failure, { request_id: c.get('requestId') })
  return c.json({ detail: `${failure.message} ${requestIdSentence(c)}` }, status)
}

function fromUnknown(error: Error, c: Context): Response {
  logError('request failed', error, { request_id: c.get('requestId') })
  return c.json({ detail: `Something went wrong on our side. ${requestIdSentence(c)}` }, 500)
}

/** The request's line in the log bears the same id. */
function requestIdSentence(c: Context): string {
  return `Request id: ${c.get('requestId')}`
}

/**
 * Answers requests that no route takes: 405 if the address takes other methods, else 404. Not a middleware, since that would
 * look at every answer.
 */
export function notFoundIn<E extends Env>(app: Hono<E>): NotFoundHandler<E> {
  const tryOthers = methodNotAllowed({ app, onMethodNotAllowed: refuseMethod })
  return async (c) => {
    c.res = c.json({ detail: 'There is nothing at this address.' }, 404)
    await tryOthers(c, async () => undefined)
    return c.res
  }
}

function refuseMethod(c: Context, methods: string[]): Response {
  const allow = methods.join(', ')
  return c.json({ detail: `This address takes ${allow} only.` }, 405, { Allow: allow })
}
