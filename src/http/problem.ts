import type { Context, Env, Hono, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { Failure, type FailureKind, Invalid } from '../errors.ts'
import { logError } from '../log.ts'
import { isDatabaseAway } from '../storage/database.ts'

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

/** The one place where a failure becomes an answer. What is unknown says nothing outside and everything in the log. */
export function toProblem(error: Error, c: Context): Response {
  if (error instanceof Invalid) return c.json({ detail: error.faults }, 422)
  if (error instanceof Failure) return fromFailure(error, c)
  if (error instanceof HTTPException) return c.json({ detail: error.message }, error.status)
  if (isDatabaseAway(error)) return fromFailure(new Failure('unavailable', AWAY, { cause: error }), c)
  return fromUnknown(error, c)
}

export const AWAY = 'The database does not answer right now. Send the request again.'

function fromFailure(failure: Failure, c: Context): Response {
  const status = STATUS[failure.kind]
  if (status === 401) c.header('WWW-Authenticate', 'ApiKey realm="mauve"')
  if (failure.retryAfterSeconds !== undefined) c.header('Retry-After', String(failure.retryAfterSeconds))
  if (status !== 503) return c.json({ detail: failure.message }, status)
  logError('unavailable', failure.cause ?? failure, { request_id: c.get('requestId') })
  return c.json({ detail: `${failure.message} ${nameOf(c)}` }, status)
}

function fromUnknown(error: Error, c: Context): Response {
  logError('request failed', error, { request_id: c.get('requestId') })
  return c.json({ detail: `Something went wrong on our side. ${nameOf(c)}` }, 500)
}

/** By this the request is found in the log. */
function nameOf(c: Context): string {
  return `Request id: ${c.get('requestId')}`
}

/**
 * What an app answers where nothing takes the request: 405 where something takes another method, else 404. Looked for only
 * then: as a middleware it would look at every answer.
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
