import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { OPENED_BY } from '../../access/access.ts'
import { SCOPES } from '../../access/api-keys.ts'
import { CLIENT_KEY, FOREIGN_PROJECT, UNKNOWN_KEY } from '../../access/refusals.ts'
import { DATABASE_AWAY } from '../../storage/database.ts'
import { JSON_ITEMS } from '../list-params.ts'
import { TOO_LARGE } from '../request-body.ts'
import { problems } from './answers.ts'
import type { KeyNeeds } from './api-key.ts'
import { keyBudgetSpent } from './budgets.ts'
import { fieldsOf, UNIONS } from './json-schema.ts'
import { NOT_JSON, type Operation } from './operation.ts'
import { REQUEST_ID } from './with-context.ts'

export type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>
type Config = Parameters<OpenAPIHono['getOpenAPI31Document']>[0]
type Responses = RouteConfig['responses']

/** The OpenAPI document of these operations: their contracts, and what `operation` adds to each of them. */
export function documentOf(operations: readonly Operation[], config: Config): Document {
  const hono = new OpenAPIHono()
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    hono.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  hono.openAPIRegistry.registerComponent('headers', REQUEST_ID, REQUEST_ID_HEADER)
  for (const [name, schema] of JSON_ITEMS) hono.openAPIRegistry.register(name, schema)
  for (const operation of operations) hono.openAPIRegistry.registerPath(complete(operation))
  return withWidths(hono.getOpenAPI31Document(config, UNIONS)) as Document
}

const LEAST_OF_32_BITS = -(2 ** 31)
const MOST_OF_32_BITS = 2 ** 31 - 1

/** Marks each integer that may exceed 32 bits as `int64`: generated clients use 32 bits for all others. */
function withWidths(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withWidths)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([name, inner]) => [name, name === 'example' ? inner : withWidths(inner)])
  return { ...Object.fromEntries(entries), ...(isWide(part) && { format: 'int64' }) }
}

interface Bounds {
  readonly type?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

function isWide({ type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Bounds): boolean {
  return [type].flat().includes('integer') && (minimum < LEAST_OF_32_BITS || maximum > MOST_OF_32_BITS)
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The API key.' },
  authorizationKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The API key by itself.' },
  analyticsToken: {
    type: 'apiKey',
    in: 'header',
    name: 'TGA-Auth-Token',
    description: 'The API key as the token of `@telegram-apps/analytics`.',
  },
  bearerKey: { type: 'http', scheme: 'bearer', description: 'The API key as `Bearer <key>`.' },
} as const

const SECURITY: Record<KeyNeeds['header'], NonNullable<RouteConfig['security']>> = {
  'x-api-key': [{ apiKey: [] }],
  'tga-auth-token': [{ analyticsToken: [] }],
  authorization: [{ bearerKey: [] }, { authorizationKey: [] }],
}

function scopesOf({ scope: area }: KeyNeeds): string[] {
  return SCOPES.filter((scope) => OPENED_BY[scope].includes(area))
}

function scopeSentence(needs: KeyNeeds): string {
  const scopes = scopesOf(needs).map((scope) => `\`${scope}\``)
  return `Takes a key of scope ${scopes.join(' or ')}.`
}

const REQUEST_ID_HEADER = { description: 'Id of this request, as in the log.', schema: { type: 'string' as const } }

const PROJECT = 'Project id of the application, in the same account; by default the application of the key.'
const PROJECT_EXAMPLE = '7d1f0a54-2c3b-4f7e-9a86-5e0c1b2d3f48'
const projectQuery = z.string().optional().openapi({ description: PROJECT, example: PROJECT_EXAMPLE })
const projectHeader = z
  .string()
  .optional()
  .openapi({ description: `${PROJECT} Takes precedence over \`project\`.`, example: PROJECT_EXAMPLE })

function problemsEverywhere({ scope, budget = 'questions' }: KeyNeeds): Responses {
  return problems({
    401: UNKNOWN_KEY,
    403: FORBIDDEN[scope],
    422: [{ loc: ['query', 'project'], msg: 'Input should be a valid string', type: 'string_type' }],
    429: `${keyBudgetSpent(budget)} Try again in 7 seconds.`,
    500: 'Something went wrong on our side.',
    503: DATABASE_AWAY,
  })
}

const FORBIDDEN: Record<KeyNeeds['scope'], string> = {
  full: CLIENT_KEY,
  questions: CLIENT_KEY,
  client: FOREIGN_PROJECT,
}

const WITH_BODY: Responses = problems({ 413: TOO_LARGE, 415: NOT_JSON })

function complete({ contract: { sample: _, ...contract }, needs }: Operation): RouteConfig {
  const { request, responses } = contract
  const every = { ...problemsEverywhere(needs), ...(request?.body && WITH_BODY) }
  return {
    ...contract,
    description: [contract.description, scopeSentence(needs)].filter(Boolean).join(' '),
    security: SECURITY[needs.header],
    'x-key-scopes': scopesOf(needs),
    request: {
      ...request,
      query: z.object({ ...fieldsOf(request?.query), project: projectQuery }),
      headers: z.object({ ...fieldsOf(request?.headers), 'x-project-id': projectHeader }),
    },
    responses: withRequestId({ ...every, ...responses }),
  }
}

function withRequestId(responses: Responses): Responses {
  const requestId = { [REQUEST_ID]: { $ref: `#/components/headers/${REQUEST_ID}` } }
  const described = Object.entries(responses).map(([status, response]) => {
    const headers = 'headers' in response ? response.headers : {}
    return [status, { ...response, headers: { ...headers, ...requestId } }] as const
  })
  return Object.fromEntries(described) as Responses
}
