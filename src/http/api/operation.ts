import { type RouteConfig, z } from '@hono/zod-openapi'
import type { Context, Hono } from 'hono'
import { calendarOfCaller } from '../../access/access.ts'
import { actorOf, actorOfKey, noteAct } from '../../access/audit.ts'
import { Failure, type Fault, Invalid } from '../../base/errors.ts'
import { toFaults } from '../../base/faults.ts'
import { jsonFault } from '../../base/json-fault.ts'
import { withoutNumbers } from '../../base/text/messenger-ids.ts'
import type { AppEnv, RequestContext } from '../context.ts'
import { type QueryParams, toQueryParams } from '../params.ts'
import { readPackedText, readText } from '../request-body.ts'
import { answerAtOnce } from '../warm-path.ts'
import { CSV, LINES, TIME_ZONE_HEADER } from './answers.ts'
import { type KeyNeeds, withApiKey } from './api-key.ts'
import type { SampledRoute } from './sample.ts'
import { warnOfParams, withWarnings } from './warnings.ts'

/** An operation of the API: its contract, ready to be served. */
export interface Operation {
  readonly contract: SampledRoute
  readonly needs: KeyNeeds
  mount(app: Hono<AppEnv>): void
}

/** A request from within the service: the parts that would arrive over HTTP. */
interface InnerRequest {
  readonly query?: QueryParams
  readonly path?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Instead of a body, where an operation takes that, too. */
  readonly csv?: string
}

/** An operation that a page can also call without HTTP, once it knows the visitor. */
export interface AskedOperation<C> extends Operation {
  /** Validates the input and answers as over HTTP. The caller checks permissions. Throws `Invalid`. */
  ask(request: InnerRequest, context: RequestContext): Promise<Answer<C>>
}

type Schema<T> = T extends z.ZodType ? z.output<T> : undefined
type BodySchema<C> = C extends { request: { body: { content: { 'application/json': { schema: infer S } } } } }
  ? S
  : undefined
type AnswerOf<S> = { content: { 'application/json': { schema: S } } }
type AnswerSchema<C> = C extends { responses: { 200: AnswerOf<infer S> } | { 202: AnswerOf<infer S> } } ? S : never
type RequestPart<C, Part extends string> = C extends { request: { [P in Part]: infer S } } ? S : undefined

/** A validated request. A part that the contract does not name is undefined. */
interface Input<C, Body> {
  /** The names of the parameters that the request has, without those that have a default only. */
  readonly given: readonly string[]
  readonly query: Schema<RequestPart<C, 'query'>>
  readonly path: Schema<RequestPart<C, 'params'>>
  readonly body: Body
}

type Answer<C> = [AnswerSchema<C>] extends [never] ? Response : z.input<AnswerSchema<C>>

type Handle<C, Body> = (input: Input<C, Body>, context: RequestContext) => Promise<Answer<C>>

/** Turns a body's JSON, or its text if it is lines, into what the handler takes. `undefined` is an empty body. Throws `Invalid`. */
type ReadBody<Body = unknown> = (json: unknown, context: RequestContext) => Body | Promise<Body>

type Contract = SampledRoute & { getRoutingPath(): string }

interface Options<Body> {
  /** Reads the body instead of the contract's schema, which then only documents it. */
  readonly readBody?: ReadBody<Body>
  /** Reads the text of a body of the type `text/csv`, which is then taken as well. Throws `Invalid`. */
  readonly readCsv?: (text: string) => Body
  /** Whether a body of JSON may be packed with gzip. */
  readonly takesGzip?: boolean
  /** Finds faults that no schema can, since they depend on the current time and the caller. */
  readonly findFaults?: FindFaults
  /**
   * Whether the audit list has an entry for each request or, of one key, for all of an hour. By default, requests that change what only
   * full keys may change have their own.
   */
  readonly audited?: 'each' | 'hourly' | 'never'
}

type FindFaults = (query: Readonly<Record<string, string>>, context: RequestContext) => readonly Fault[]

/**
 * Joins a contract and its handler. Checks the key first, then all parts of the request, and reports all faults together. The
 * handler returns the JSON of the 200 (of the 202, if the contract has one) or a whole `Response`.
 */
export function operation<const C extends Contract, Body = Schema<BodySchema<C>>>(
  contract: C,
  needs: KeyNeeds,
  handle: Handle<C, Body>,
  {
    readBody = bodyReader(contract),
    readCsv,
    takesGzip = false,
    findFaults,
    audited = auditedBy(contract, needs),
  }: Options<Body> = {},
): AskedOperation<C> {
  const jsonReading: Reading = { ...contract.request, readBody, findFaults }
  const csvReading: Reading = { ...jsonReading, readBody: readCsv && ((text) => readCsv(String(text))) }
  const takesLines = LINES in (contract.request?.body?.content ?? {})
  const status = contract.responses[202] ? 202 : 200
  const saysTimeZone = isByDay(contract)
  const name = { operationId: contract.operationId ?? '', path: contract.path }
  const handleWarning: Handle<C, Body> = (input, context) =>
    withWarnings(context, (warning) => {
      warnOfParams(input.given, contract, warning)
      return handle(input, warning)
    })
  const work: Handle<C, Body> = async (input, context) => {
    if (saysTimeZone) context.setHeader(TIME_ZONE_HEADER, calendarOfCaller(context.access).timeZone)
    // Tracking clients do not read warnings.
    const answered = await (needs.scope === 'client' ? handle : handleWarning)(input, context)
    if (audited !== 'never') await noteOperation({ ...name, isHourly: audited === 'hourly' }, input, context)
    return answered
  }
  const answer = async (c: Context<AppEnv>) => {
    c.set('operation', name)
    await withApiKey(c, needs)
    const isCsv = readCsv !== undefined && isOfType(c, CSV_TYPE)
    if (readBody && !isCsv) requireType(c, takesLines ? TAKEN.lines : readCsv ? TAKEN.jsonOrCsv : TAKEN.json, takesGzip)
    const jsonKind = takesGzip && c.req.header('content-encoding') ? 'packed' : 'json'
    const context = contextOf(c)
    const received: Received = {
      path: c.req.param(),
      query: toQueryParams(Object.entries(c.req.queries())),
      body: () => readBodyOf(context.request, isCsv ? 'csv' : takesLines ? 'lines' : jsonKind),
    }
    const input = (await readInput(received, context, isCsv ? csvReading : jsonReading)) as Input<C, Body>
    const answered = await work(input, context)
    return answered instanceof Response ? answered : answerAtOnce(c, answered as object, status)
  }
  const ask = async ({ query = {}, path = {}, body, csv }: InnerRequest, context: RequestContext) => {
    const reading = csv === undefined ? jsonReading : csvReading
    const input = await readInput({ path, query, body: async () => csv ?? body }, context, reading)
    return work(input as Input<C, Body>, context)
  }
  return { contract, needs, ask, mount: (app) => void app.on(contract.method, [contract.getRoutingPath()], answer) }
}

/** The names and ids in a request that say what it changes; a user's id is none of them. */
const Target = z.object({
  path: z.object({ id: z.string(), name: z.string(), handle: z.string() }).partial().default({}),
  body: z.object({ name: z.string(), handle: z.string() }).partial().catch({}),
})

function auditedBy({ method }: Contract, { scope }: KeyNeeds) {
  return scope === 'full' && method !== 'get' ? 'each' : 'never'
}

async function noteOperation(
  { operationId: action, isHourly }: { readonly operationId: string; readonly isHourly: boolean },
  input: unknown,
  { db, access, actor, now }: RequestContext,
): Promise<void> {
  const { path, body } = Target.parse(input)
  const handle = (path.handle ?? body.handle)?.replace(/^@/, '') ?? null
  const applicationId = handle === null ? (access.application?.id ?? null) : null
  const name = path.name ?? body.name
  // A name may hold a user's messenger id, which would outlive their erasure.
  const target = path.id ?? (name === undefined ? null : withoutNumbers(name))
  const act = { accountId: access.accountId, actor: actor(), action, applicationId, handle, target, isHourly }
  await noteAct(db, act, now)
}

/** Whether its answers name the time zone: the caller's, unless the handler sets that of another application. */
function isByDay({ responses }: Contract): boolean {
  const answered = responses[200]
  const headers = answered && 'headers' in answered ? answered.headers : undefined
  return headers !== undefined && TIME_ZONE_HEADER in headers
}

function bodyReader<Body>(contract: RouteConfig): ReadBody<Body> | undefined {
  const media = contract.request?.body?.content['application/json']
  if (!media || !('schema' in media)) return undefined
  return (json) => {
    const outcome = parse(media.schema as z.ZodType, json)
    if (!outcome.success) throw new Invalid(faultsOf('body', outcome))
    return outcome.data as Body
  }
}

export const NOT_JSON = 'Send the body as JSON, with the header Content-Type: application/json.'
export const NOT_LINES = `Send the body as lines of JSON, with the header Content-Type: ${LINES}.`

export const NOT_JSON_OR_CSV = `Send the body as JSON, with the header Content-Type: application/json, or as a list, with Content-Type: ${CSV}.`

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i
const CSV_TYPE = /^text\/csv\s*(;|$)/i
/** 100,000 numbers of 16 digits, with quotation marks and line breaks. */
const MAX_CSV_BYTES = 2 * 1_048_576

/** The accepted types of bodies, and the refusal of others. */
const TAKEN = {
  json: { type: JSON_TYPE, refusal: NOT_JSON },
  jsonOrCsv: { type: JSON_TYPE, refusal: NOT_JSON_OR_CSV },
  lines: { type: /^application\/((x-)?(ndjson|jsonl|jsonlines)|octet-stream)\s*(;|$)/i, refusal: NOT_LINES },
}

function requireType(c: Context, { type, refusal }: (typeof TAKEN)[keyof typeof TAKEN], takesGzip: boolean): void {
  if (!isOfType(c, type, takesGzip)) throw new Failure('not-json', refusal)
}

function isOfType(c: Context, type: RegExp, takesGzip = false): boolean {
  if (!type.test((c.req.header('content-type') ?? '').trim())) return false
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase()
  if (!encoding || (takesGzip && encoding === 'gzip')) return true
  const taken = takesGzip ? 'or with Content-Encoding: gzip' : 'without Content-Encoding'
  throw new Failure('not-json', `Send the body as it is, ${taken}.`)
}

type Outcome = z.ZodSafeParseResult<unknown>

function parse(schema: z.ZodType, value: unknown): Outcome {
  return schema.safeParse(value, { reportInput: true })
}

interface Reading extends Pick<NonNullable<RouteConfig['request']>, 'params' | 'query'> {
  readonly readBody: ReadBody | undefined
  readonly findFaults: FindFaults | undefined
}

/** A request before it is read against a contract. */
interface Received {
  readonly path: Readonly<Record<string, string>>
  readonly query: QueryParams
  readonly body: () => Promise<unknown>
}

async function readInput(received: Received, context: RequestContext, reading: Reading) {
  const { readBody, findFaults } = reading
  const path = reading.params && parse(reading.params, received.path)
  const query = reading.query && parse(reading.query, received.query)
  const body = readBody && (await bodyOutcome(received.body, context, readBody))
  const faults = [
    ...projectFaults(received.query),
    ...faultsOf('path', path),
    ...faultsOf('query', query),
    ...(findFaults ? findFaults(firstOfEach(received.query), context) : []),
    ...(body?.faults ?? []),
  ]
  if (faults.length > 0) throw new Invalid(faults)
  return { path: path?.data, query: query?.data, body: body?.value, given: Object.keys(received.query) }
}

function firstOfEach(query: QueryParams): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, given]) => [name, [given].flat()[0] ?? '']))
}

/** Collects a body's faults instead of throwing, so that they are reported with those of the other parts. */
async function bodyOutcome(json: Received['body'], context: RequestContext, readBody: ReadBody) {
  try {
    return { value: await readBody(await json(), context), faults: [] }
  } catch (error) {
    if (error instanceof Invalid) return { value: undefined, faults: error.faults }
    throw error
  }
}

/** Two projects are ambiguous. */
function projectFaults({ project }: QueryParams): Fault[] {
  if (!Array.isArray(project)) return []
  return [{ loc: ['query', 'project'], msg: 'Input should be a valid string', type: 'string_type' }]
}

function faultsOf(part: string, outcome: Outcome | undefined): Fault[] {
  return outcome && !outcome.success ? toFaults(outcome.error.issues, [part]) : []
}

async function readBodyOf(request: Request, kind: 'csv' | 'lines' | 'json' | 'packed'): Promise<unknown> {
  if (kind === 'json') return toJson(await readText(request))
  if (kind === 'packed') return toJson(await readPackedText(request))
  return readText(request, kind === 'csv' ? MAX_CSV_BYTES : undefined)
}

/** An empty body is `undefined`, which every schema reports as missing. Throws `Invalid`. */
function toJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    const { position, ...fault } = jsonFault(text, error)
    throw new Invalid([{ loc: ['body', ...(position === null ? [] : [position])], ...fault }])
  }
}

/** What a handler may use, once `access` is known. */
export function contextOf(c: Context<AppEnv>): RequestContext {
  const headers = c.get('headers')
  const setHeader = (name: string, value: string) => {
    headers[name] = value
  }
  const [db, questions, access] = [c.get('db'), c.get('questions'), c.get('access')]
  const [now, elapsed, defer, findCohorts] = [c.get('now'), c.get('elapsed'), c.get('defer'), c.get('findCohorts')]
  const actor = () => (c.get('visitor') ? actorOf(c.get('visitor')) : actorOfKey(access.keyHash))
  const warn = () => undefined
  const [env, request] = [c.env, c.req.raw]
  return { db, questions, now, elapsed, defer, findCohorts, access, actor, setHeader, warn, env, request }
}
