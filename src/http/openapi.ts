import { z } from '@hono/zod-openapi'

const Fault = z
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
  .object({ detail: z.array(Fault).min(1).openapi({ description: 'All faults of the request.' }) })
  .openapi('HTTPValidationError')

const Problem = z
  .object({ detail: z.string().openapi({ description: 'What is the matter, in a sentence for people.' }) })
  .openapi('Problem')

interface ProblemAnswer {
  readonly description: string
  /** The `detail` of the example. */
  readonly example: unknown
  readonly headers?: Record<string, { description: string; schema: { type: 'string' | 'integer'; minimum?: number } }>
}

const PROBLEMS = {
  401: {
    description: 'The API key is missing, unknown or revoked.',
    example: 'This API key is unknown or was revoked.',
    headers: { 'WWW-Authenticate': { description: 'Asks for an API key.', schema: { type: 'string' } } },
  },
  403: {
    description:
      'The API key is known, but does not open this: its scope, its plan, or the project is of another account.',
    example: 'This API key does not belong to the account of that project.',
  },
  404: {
    description: 'There is nothing of that name, or the key acts for no application yet.',
    example: 'There is no application with this handle.',
  },
  409: {
    description: 'The handle belongs to another account.',
    example: 'This handle is registered by another account.',
  },
  413: { description: 'The body is larger than 1 MiB.', example: 'The body is larger than 1 MiB.' },
  415: {
    description: 'The body is not sent as `application/json`, or it is compressed.',
    example: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  422: {
    description: 'Values that break the contract, all of them at once.',
    example: [{ loc: ['query', 'project'], msg: 'Input should be a valid string', type: 'string_type' }],
  },
  429: {
    description:
      'The budget of this API key, or of this address, is spent: for the client configuration, collection or questions.',
    example: 'The budget of this API key for questions is spent. Try again in 7 seconds.',
    headers: {
      'Retry-After': { description: 'Seconds until it may be tried again.', schema: { type: 'integer', minimum: 0 } },
    },
  },
  500: {
    description: 'Something went wrong inside; the request id finds it in the log.',
    example: 'Something went wrong on our side. Request id: 0b6f6f0e-3c0e-4f0c-9a55-5d7f0c7b7a11',
  },
  503: {
    description: 'The service cannot do this right now; the same request may be sent again.',
    example:
      'The database does not answer right now. Send the request again. Request id: 0b6f6f0e-3c0e-4f0c-9a55-5d7f0c7b7a11',
  },
} as const satisfies Record<number, ProblemAnswer>

type ProblemStatus = keyof typeof PROBLEMS

/** The answers of an operation that went wrong, for its contract. */
export function problems(...statuses: ProblemStatus[]) {
  return Object.fromEntries(statuses.map((status) => [status, problem(status)]))
}

function problem(status: ProblemStatus) {
  const { description, example, ...rest } = PROBLEMS[status]
  const schema: z.ZodType = status === 422 ? ValidationProblem : Problem
  return { description, ...rest, content: { 'application/json': { schema, example: { detail: example } } } }
}

/** Headers of an answer and what they say, for `jsonAnswer`. */
type Headers = Readonly<Record<string, string>>

export function jsonAnswer<S extends z.ZodType>(schema: S, description: string, headers: Headers = {}) {
  return { description, headers: describeHeaders(headers), content: { 'application/json': { schema } } }
}

function describeHeaders(headers: Headers) {
  const described = Object.entries(headers).map(([name, description]) => [name, { description, schema: TEXT }] as const)
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

export const SUCCESS = { status_code: 200, message: 'Success' } as const
