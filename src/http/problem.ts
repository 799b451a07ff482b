import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
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
  unavailable: 503,
} as const satisfies Record<FailureKind, number>

/** The one place where a failure becomes an answer. What is unknown says nothing outside and everything in the log. */
export function toProblem(error: Error, c: Context): Response {
  if (error instanceof Invalid) return c.json({ detail: error.faults }, 422)
  if (error instanceof Failure) return fromFailure(error, c)
  if (error instanceof HTTPException) return c.json({ detail: error.message }, error.status)
  return fromUnknown(error, c)
}

function fromFailure(failure: Failure, c: Context): Response {
  const status = STATUS[failure.kind]
  if (status === 401) c.header('WWW-Authenticate', 'ApiKey realm="mauve"')
  if (status === 503) logError('unavailable', failure.cause ?? failure)
  return c.json({ detail: failure.message }, status)
}

function fromUnknown(error: Error, c: Context): Response {
  const requestId = crypto.randomUUID()
  logError('request failed', error, { request_id: requestId })
  return c.json({ detail: `Something went wrong on our side. Request id: ${requestId}` }, 500)
}

export function notFound(c: Context): Response {
  return c.json({ detail: 'There is nothing at this address.' }, 404)
}

export function methodNotAllowed(c: Context, methods: string[]): Response {
  const allow = methods.join(', ')
  return c.json({ detail: `This address takes ${allow} only.` }, 405, { Allow: allow })
}
