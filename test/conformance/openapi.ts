import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import {
  apiKey,
  baseUrl,
  call,
  handle,
  issueKey,
  newHandle,
  newUser,
  owned,
  post,
  registrationOf,
  seenUser,
} from './client.ts'

/** The parts of JSON Schema that the document may use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly example?: unknown
  readonly default?: unknown
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  /** The schema of the JSON in a text. */
  readonly contentSchema?: Schema
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

interface Content {
  readonly content?: Readonly<Record<string, Media>>
}

export interface Parameter extends Content {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
  readonly example?: unknown
}

interface Answer extends Content {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly required?: boolean }>>
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly 'x-key-scopes': readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Answer>>
  readonly 'x-codeSamples': readonly { readonly source: string }[]
}

export interface Operation extends Described {
  readonly method: string
  readonly path: string
}

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

export const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
)

const DOCUMENT = 'https://document.example/'
const validator = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
formats.default(validator)
validator.addSchema(closed(document) as object, DOCUMENT)

/** The document, with every object of an answer held to the fields that are listed. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]))
  return entries.type === 'object' && entries.properties ? { additionalProperties: false, ...entries } : entries
}

export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : resolve(document.components.schemas[name] ?? {})
}

/** What a value may be instead: the branches of a choice, or the one thing it is. */
export function alternatives(schema: Schema): Schema[] {
  const found = resolve(schema)
  return found.oneOf?.flatMap(alternatives) ?? [found]
}

const open = new Ajv2020({ strict: false, validateSchema: false })
formats.default(open)
open.addSchema(document as object, DOCUMENT)

/** Whether a value that is sent keeps to its schema; fields that are not listed may be there. */
export function fits(schema: Schema, value: unknown): boolean {
  return open.validate(absolute(schema), value)
}

/** Whether an answer keeps to its schema, and has no field that is not listed. */
export function fitsClosed(schema: Schema, value: unknown): boolean {
  return validator.validate(absolute(schema), value)
}

const absoluteSchemas = new WeakMap<Schema, object>()

/** Answers with the same object for the same schema, so that it is compiled once. */
function absolute(schema: Schema): object {
  const known = absoluteSchemas.get(schema)
  if (known) return known
  const made = withAbsoluteRefs(schema) as object
  absoluteSchemas.set(schema, made)
  return made
}

function withAbsoluteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAbsoluteRefs)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === '$ref' ? `${DOCUMENT}${item}` : withAbsoluteRefs(item),
  ])
  return Object.fromEntries(entries)
}

/** An application that requests may change, and a key that they may revoke. */
export const registered = newHandle()
await post('/applications/register', registrationOf(registered))
export const spareKey = await issueKey('client')
const user = newUser()
/** A user to erase, and an application to delete, which is registered before each time. */
const erased = newUser()
export const doomed = newHandle()
const seen = await seenUser()

/** What no example can know: what exists here, and what time it is. */
const KNOWN: Readonly<Record<string, () => unknown>> = {
  handle: () => registered,
  datetime: () => Date.now(),
  timestamp: () => Date.now(),
  telegram_id: () => user,
  telegramID: () => user,
  user_id: () => user,
  id: () => spareKey.id,
  confirm: () => doomed,
  project: () => owned?.projectId,
  'x-project-id': () => owned?.projectId,
}

/** A value that keeps to its schema, as far as a schema can tell. */
export function sample(schema: Schema, name = ''): unknown {
  const found = alternatives(schema)[0] ?? {}
  if (name in KNOWN) return KNOWN[name]?.()
  const [first] = [found.example, found.default, found.enum?.[0]].filter((value) => value !== undefined)
  if (first !== undefined) return first
  switch ([found.type].flat()[0]) {
    case 'object':
      return Object.fromEntries((found.required ?? []).map((key) => [key, sample(found.properties?.[key] ?? {}, key)]))
    case 'array':
      return Array.from({ length: Math.max(found.minItems ?? 0, 1) }, () => sample(found.items ?? {}))
    case 'integer':
    case 'number':
      return found.minimum ?? 1
    case 'boolean':
      return true
    default:
      return 'a'.repeat(Math.max(found.minLength ?? 0, 1))
  }
}

/** Every field of the document that has no description, by its place. */
export function undescribed(value: unknown = document, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties } = value as Schema
  const isSchema = typeof properties === 'object' && !place.endsWith('/properties')
  const found = isSchema ? Object.entries(properties).filter(([, field]) => !isDescribed(field)) : []
  return [
    ...found.map(([name]) => `${place}/${name}`),
    ...Object.entries(value).flatMap(([key, item]) => undescribed(item, `${place}/${key}`)),
  ]
}

function isDescribed(schema: Schema): boolean {
  return Boolean(schema.description ?? resolve(schema).description)
}

export function schemaOf(parameter: Parameter): Schema {
  return resolve(parameter.schema ?? parameter.content?.['application/json']?.schema ?? {})
}

/** A parameter's values, as they are written into the query: one, or several of a list. */
export function written(parameter: Parameter, value: unknown): string[] {
  if (parameter.content) return [JSON.stringify(value)]
  return (Array.isArray(value) ? value : [value]).map((item) => (isText(item) ? item : JSON.stringify(item)))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function sampleOf(parameter: Parameter, method = 'GET'): unknown {
  if (parameter.in === 'path' && parameter.name === 'handle') {
    return { GET: handle, DELETE: doomed }[method] ?? registered
  }
  if (parameter.in === 'path' && parameter.name === 'telegram_id') return method === 'DELETE' ? erased : seen
  if (parameter.name in KNOWN) return KNOWN[parameter.name]?.()
  return parameter.example ?? sample(schemaOf(parameter), parameter.name)
}

export interface Changes {
  /** In the place of the operation's own key header; null for no key. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** In the place of a parameter's sample: the texts that are written, none to leave it out. */
  readonly parameter?: { readonly changed: Parameter; readonly values: readonly string[] }
  readonly body?: unknown
  /** Beside what the operation's parameters say. */
  readonly query?: Readonly<Record<string, string>>
}

/** The status of an operation's answer where all is well. */
export function goodStatusOf({ responses }: Operation): number {
  return responses[202] ? 202 : 200
}

/** Files run at the same time, and each deletes its own. */
const COHORT = `payers-${newHandle().slice(1)}`

/** What an operation is about that no operation before it left behind: made before each time. */
async function madeFor({ path, method }: Operation): Promise<Readonly<Record<string, string>>> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const send = async (address: string, verb: string, body: unknown) =>
    (await call(address, { method: verb, headers, body: JSON.stringify(body) })).json()
  if (path.startsWith('/cohorts/{name}') && method !== 'PUT') {
    await send(`/cohorts/${COHORT}`, 'PUT', { match: 'all', conditions: [{ type: 'first_seen' }] })
    return { name: COHORT }
  }
  if (path.startsWith('/subscriptions/{id}')) {
    const rule = { type: 'new_event_name' }
    const subscription = { name: 'Names', rule, target: { type: 'webhook', url: 'https://93.184.215.14/' } }
    const { data } = (await send('/subscriptions', 'POST', subscription)) as { data: { id: string } }
    return { id: data.id }
  }
  if (path !== '/annotations/{id}') return {}
  const { data } = (await send('/annotations', 'POST', { date: '2026-11-20', text: 'Released' })) as {
    data: { id: string }
  }
  return { id: data.id }
}

/** Sends the operation with the samples of what is required, but for what is changed. */
export async function send(
  operation: Operation,
  { key = apiKey, headers, parameter, body, query: added = {} }: Changes = {},
): Promise<Response> {
  // No other key deletes it.
  if (operation.operationId === 'deleteApplication' && key?.includes(apiKey))
    await post('/applications/register', registrationOf(doomed))
  const isAbout = key?.includes(apiKey) && parameter?.changed.in !== 'path'
  const made = isAbout ? await madeFor(operation) : {}
  const required = operation.parameters.filter((known) => known.required && known.name !== parameter?.changed.name)
  const values = [
    ...required.map((known) => ({
      known,
      values: written(known, made[known.name] ?? sampleOf(known, operation.method)),
    })),
    ...(parameter ? [{ known: parameter.changed, values: parameter.values }] : []),
  ]
  const query = new URLSearchParams(added)
  const own: Record<string, string> = {}
  let path = operation.path
  for (const { known, values: texts } of values) {
    if (known.in === 'path') path = path.replace(`{${known.name}}`, encodeURIComponent(texts[0] ?? ''))
    else if (known.in === 'header') own[known.name] = texts[0] ?? ''
    else for (const text of texts) query.append(known.name, text)
  }
  if (key !== null) own[keyHeader(operation)] = key
  const content = operation.requestBody && bodyOf(operation, body)
  if (content !== undefined) own['content-type'] = typeOf(operation)
  const init: RequestInit = { method: operation.method, headers: { ...own, ...headers } }
  return call(`${path}?${query}`, content === undefined ? init : { ...init, body: content })
}

/** The content type of the body. */
function typeOf({ requestBody }: Operation): string {
  return Object.keys(requestBody?.content ?? {})[0] ?? 'application/json'
}

/** The body as text. The schema of lines of JSON does not say what they are, so the example's are taken. */
function bodyOf(operation: Operation, body: unknown): string {
  if (isText(body)) return body
  const schema = bodySchema(operation)
  return schema ? JSON.stringify(body ?? sample(schema)) : String(operation.requestBody?.content?.[LINES]?.example)
}

const LINES = 'application/x-ndjson'

export function bodySchema({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.['application/json']?.schema
}

export function keyHeader({ security }: Operation): string {
  const [scheme = ''] = Object.keys(security[0] ?? {})
  return { apiKey: 'x-api-key', analyticsToken: 'tga-auth-token' }[scheme] ?? 'authorization'
}

/** Sent by another part of the service for every answer. */
const NOT_CHECKED = new Set(['x-request-id'])

/** The answer's status is one that the document lists, and its body and headers are as it says. Returns the status. */
export async function expectListed(operation: Operation, response: Response): Promise<number> {
  const { status } = response
  const text = await response.text()
  const answer = operation.responses[status]
  if (!answer) throw new Error(`${operation.operationId} lists no ${status}: ${text.slice(0, 500)}`)
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '')
  expect(Object.keys(answer.content ?? {}), text.slice(0, 500)).toContain(type)
  for (const [header, { required }] of Object.entries(answer.headers)) {
    if (required !== false && !NOT_CHECKED.has(header))
      expect(response.headers.has(header), `header ${header}`).toBe(true)
  }
  const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses', status, 'content']
  const place = [...pointer, type, 'schema'].map(toPointerStep).join('/')
  for (const value of valuesOf(text, type)) {
    const isValid = validator.validate(`${DOCUMENT}#/${place}`, value)
    expect(isValid, `${validator.errorsText()} in ${text.slice(0, 500)}`).toBe(true)
  }
  return status
}

/** The values in a body: each line is a value where the schema is of lines. */
function valuesOf(text: string, type: string): unknown[] {
  if (type === LINES)
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return [type === 'application/json' ? JSON.parse(text) : text]
}

function toPointerStep(step: string | number): string {
  return encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The command with which the page of the reference shows how to ask. */
export function commandOf(operation: Operation): string {
  return operation['x-codeSamples'][0]?.source ?? ''
}
