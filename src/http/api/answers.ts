import { z } from '@hono/zod-openapi'
import type { Fault } from '../../base/errors.ts'
import { label } from './fields.ts'

/** The type of a body or a response with one JSON value per line. */
export const LINES = 'application/x-ndjson'

/** The type of a table for spreadsheets. */
export const CSV = 'text/csv'

const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.number().int()])).openapi({
      description:
        'Location of the fault: `body`, `query`, `path` or `header`, then each field; items of a list by their index.',
      example: ['query', 'project'],
    }),
    msg: label('What is wrong.', 'Input should be a valid string'),
    type: label('The kind of fault, in the vocabulary of pydantic 2.', 'string_type'),
  })
  .openapi('ValidationError')

const ValidationProblem = z
  .object({ detail: z.array(ValidationError).min(1).openapi({ description: 'All faults of the request.' }) })
  .openapi('HTTPValidationError')

const Problem = z.object({ detail: label('What went wrong, in a sentence for people.') }).openapi('Problem')

interface ProblemAnswer {
  readonly description: string
  readonly headers?: Record<string, { description: string; schema: { type: 'string' | 'integer'; minimum?: number } }>
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds until you may try again.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
}

const PROBLEMS = {
  401: {
    description: 'The API key is missing, unknown or revoked.',
    headers: { 'WWW-Authenticate': { description: 'Requests an API key.', schema: { type: 'string' } } },
  },
  403: {
    description:
      'The API key is valid but does not allow this: because of its scope, its plan, or because the project belongs to another account.',
  },
  404: {
    description:
      'There is no such application (none has this handle, or the key does not act for one yet), or it has no such user.',
  },
  409: { description: 'The handle belongs to another account, or the account is full.' },
  413: { description: 'The body is larger than 1 MiB.' },
  415: { description: 'The body is not sent as `application/json`, or it is compressed.' },
  422: { description: 'All values that violate the contract.' },
  429: {
    description:
      'The budget of this API key, address or network is spent; too many questions are waiting or exports running; or, in collection, a daily quota of the application is spent.',
    headers: RETRY_AFTER,
  },
  500: { description: 'Internal error. The request id identifies it in the log.' },
  503: {
    description: 'A component is unavailable or does not respond. Send the same request again.',
    headers: RETRY_AFTER,
  },
} as const satisfies Record<number, ProblemAnswer>

type ProblemStatus = keyof typeof PROBLEMS

/** The `detail` of each example: the exact sentence of the service, or the faults of a 422. */
type Examples = { readonly [Status in ProblemStatus]?: Status extends 422 ? readonly Fault[] : string }

export function problems(examples: Examples) {
  const statuses = Object.keys(examples).map(Number) as ProblemStatus[]
  return Object.fromEntries(statuses.map((status) => [status, problem(status, examples[status])]))
}

function problem(status: ProblemStatus, example: Examples[ProblemStatus]) {
  const schema: z.ZodType = status === 422 ? ValidationProblem : Problem
  const detail = status >= 500 ? `${example} Request id: 0b6f6f0e-3c0e-4f0c-9a55-5d7f0c7b7a11` : example
  return { ...PROBLEMS[status], content: { 'application/json': { schema, example: { detail } } } }
}

/** Names the time zone whose days an answer counts by: the caller's application's, unless the handler sets another one's. */
export const TIME_ZONE_HEADER = 'time-zone'

/** The `time-zone` header, for a contract. */
export const TIME_ZONE_HEADERS = {
  [TIME_ZONE_HEADER]: "The application's time zone, by whose days this answer counts: an IANA name.",
}

/** Headers of a response with their descriptions; `optional` ones may be missing. */
type Headers = Readonly<Record<string, string | { readonly optional: string }>>

export function jsonAnswer<S extends z.ZodType>(schema: S, description: string, headers: Headers = {}) {
  return { description, headers: describeHeaders(headers), content: { 'application/json': { schema } } }
}

export function describeHeaders(headers: Headers) {
  const described = Object.entries(headers).map(([name, header]) => {
    const required = typeof header === 'string'
    return [name, { description: required ? header : header.optional, required, schema: TEXT }] as const
  })
  return Object.fromEntries(described)
}

const TEXT = { type: 'string' as const }

export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { 'application/json': { schema } } }
}

const Warnings = z.array(z.string()).openapi('Warnings', {
  description:
    'Sentences about what the operation ignored or doubts: a parameter that it does not know, or an event, property or parameter that does not occur. Only present if there is one.',
  example: ["'strat' is not a parameter of this operation; did you mean 'start'?"],
})

/** `status_code`, `message` and `warnings`, as every successful response carries them. */
export const envelope = envelopeOf(200, 'Success')

/** `status_code`, `message` and `warnings` of an operation that continues after its response. */
export const acceptedEnvelope = envelopeOf(202, 'Accepted')

/** A successful response with these fields, followed by those that every response has. */
export function answer<Fields extends z.ZodRawShape>(name: string, fields: Fields) {
  return z.object({ ...fields, ...envelope }).openapi(name)
}

/** A successful response with a list: the fields that every response has come before these. */
export function listAnswer<Fields extends z.ZodRawShape>(name: string, fields: Fields) {
  return z.object({ ...envelope, ...fields }).openapi(name)
}

/** An answer's fields with fixed values. `note` follows the description of the status. */
export function envelopeOf<const S extends number, const M extends string>(status: S, message: M, note = '.') {
  return {
    status_code: z.literal(status).openapi({
      type: 'integer',
      minimum: status,
      maximum: status,
      description: `Always ${status}${note}`,
      example: status,
    }),
    message: z.literal(message).openapi({ description: `Always \`${message}\`.` }),
    warnings: Warnings.optional(),
  }
}

export const ACCEPTED = { status_code: 202, message: 'Accepted' } as const

export const SUCCESS = { status_code: 200, message: 'Success' } as const
