import { z } from '@hono/zod-openapi'
import type { Fault } from '../errors.ts'

const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.number().int()])).openapi({
      description:
        'Where it is: `body`, `query`, `path` or `header`, then field by field, items of a list by their index.',
      example: ['query', 'project'],
    }),
    msg: z.string().openapi({ description: 'What is wrong.', example: 'Input should be a valid string' }),
    type: z.string().openapi({ description: 'The kind of fault, in the words of pydantic 2.', example: 'string_type' }),
  })
  .openapi('ValidationError')

const ValidationProblem = z
  .object({ detail: z.array(ValidationError).min(1).openapi({ description: 'All faults of the request.' }) })
  .openapi('HTTPValidationError')

const Problem = z
  .object({ detail: z.string().openapi({ description: 'What is the matter, in a sentence for people.' }) })
  .openapi('Problem')

interface ProblemAnswer {
  readonly description: string
  readonly headers?: Record<string, { description: string; schema: { type: 'string' | 'integer'; minimum?: number } }>
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds until it may be tried again.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
}

const PROBLEMS = {
  401: {
    description: 'The API key is missing, unknown or revoked.',
    headers: { 'WWW-Authenticate': { description: 'Asks for an API key.', schema: { type: 'string' } } },
  },
  403: {
    description:
      'The API key is known, but does not open this: its scope, its plan, or the project is of another account.',
  },
  404: {
    description:
      'There is no such application (none has this handle, or the key acts for none yet), or no such user in it.',
  },
  409: { description: 'The handle belongs to another account.' },
  413: { description: 'The body is larger than 1 MiB.' },
  415: { description: 'The body is not sent as `application/json`, or it is compressed.' },
  422: { description: 'Values that break the contract, all of them at once.' },
  429: {
    description:
      'A budget of this API key, of this address or of its network is spent, or in collection a quota of the application for the day.',
    headers: RETRY_AFTER,
  },
  500: { description: 'Something went wrong inside; the request id finds it in the log.' },
  503: {
    description: 'A part of the platform is away or silent; the same request may be sent again.',
    headers: RETRY_AFTER,
  },
} as const satisfies Record<number, ProblemAnswer>

type ProblemStatus = keyof typeof PROBLEMS

/** The `detail` of each answer's example: a sentence, word for word as the service says it, or the faults of a 422. */
type Examples = { readonly [Status in ProblemStatus]?: Status extends 422 ? readonly Fault[] : string }

/** The answers of an operation that went wrong, for its contract. */
export function problems(examples: Examples) {
  const statuses = Object.keys(examples).map(Number) as ProblemStatus[]
  return Object.fromEntries(statuses.map((status) => [status, problem(status, examples[status])]))
}

function problem(status: ProblemStatus, said: Examples[ProblemStatus]) {
  const schema: z.ZodType = status === 422 ? ValidationProblem : Problem
  const detail = status >= 500 ? `${said} Request id: 0b6f6f0e-3c0e-4f0c-9a55-5d7f0c7b7a11` : said
  return { ...PROBLEMS[status], content: { 'application/json': { schema, example: { detail } } } }
}

/** Headers of an answer and what they say, for `jsonAnswer`; those of `optional` may be missing. */
type Headers = Readonly<Record<string, string | { readonly optional: string }>>

export function jsonAnswer<S extends z.ZodType>(schema: S, description: string, headers: Headers = {}) {
  return { description, headers: describeHeaders(headers), content: { 'application/json': { schema } } }
}

function describeHeaders(headers: Headers) {
  const described = Object.entries(headers).map(([name, said]) => {
    const required = typeof said === 'string'
    return [name, { description: required ? said : said.optional, required, schema: TEXT }] as const
  })
  return Object.fromEntries(described)
}

const TEXT = { type: 'string' as const }

export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { 'application/json': { schema } } }
}

/** `status_code` and `message` as every successful answer carries them. */
export const envelope = {
  status_code: z.literal(200).openapi({ type: 'integer', description: 'Always 200.', example: 200 }),
  message: z.literal('Success').openapi({ description: 'Always `Success`.' }),
}

/** The same of an operation whose work goes on behind the answer. */
export const acceptedEnvelope = {
  status_code: z.literal(202).openapi({ type: 'integer', description: 'Always 202.', example: 202 }),
  message: z.literal('Accepted').openapi({ description: 'Always `Accepted`.' }),
}

export const ACCEPTED = { status_code: 202, message: 'Accepted' } as const

export const SUCCESS = { status_code: 200, message: 'Success' } as const
