import { z } from '@hono/zod-openapi'

const Fault = z
  .object({ loc: z.array(z.union([z.string(), z.number().int()])), msg: z.string(), type: z.string() })
  .openapi('ValidationError')

const ValidationProblem = z.object({ detail: z.array(Fault) }).openapi('HTTPValidationError')

const Problem = z.object({ detail: z.string() }).openapi('Problem')

const MEANINGS = {
  401: 'The API key is missing, unknown or revoked.',
  403: 'The API key is known, but does not open this.',
  404: 'There is nothing of that name.',
  409: 'The handle belongs to another account.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not sent as `application/json`.',
  422: 'Values that break the contract, all of them at once.',
  503: 'The service cannot do this right now; the same request may be sent again.',
} as const

type ProblemStatus = keyof typeof MEANINGS

/** The answers of an operation that went wrong, for its contract. */
export function problems(...statuses: ProblemStatus[]) {
  const answers = statuses.map((status) => [status, jsonAnswer(schemaOf(status), MEANINGS[status])] as const)
  return Object.fromEntries(answers)
}

function schemaOf(status: ProblemStatus): z.ZodType {
  return status === 422 ? ValidationProblem : Problem
}

export function jsonAnswer<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { 'application/json': { schema } } }
}

/** `status_code` and `message` as every successful answer carries them. */
export const envelope = {
  status_code: z.literal(200).openapi({ description: 'Always 200.' }),
  message: z.literal('Success'),
}

export const SUCCESS = { status_code: 200, message: 'Success' } as const
