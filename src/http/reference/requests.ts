import { LINES } from '../api/answers.ts'
import type { SampleRequest } from '../api/sample.ts'
import type { DescribedOperation, ReferenceDocument, Samples } from './document.ts'

interface Target {
  /** Scheme and host of the service, as its caller names it. */
  readonly origin: string
  readonly method: string
  readonly path: string
  readonly security: DescribedOperation['security']
}

/** The document for readers of one address: each operation with its sample request as a command to copy. */
export function withCommands(document: ReferenceDocument, samples: Samples, origin: string): ReferenceDocument {
  const paths = mapValues(document.paths, (methods, path) =>
    mapValues(methods, (operation, method) => {
      const { operationId, security } = operation
      const source = toCurl({ origin, method, path, security }, samples.get(operationId) ?? {})
      return { ...operation, 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source }] }
    }),
  )
  return { ...document, paths }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}

/** The header that carries the key, up to the key itself, by the security scheme of the document. */
const KEY_HEADERS: ReadonlyMap<string, string> = new Map([
  ['apiKey', 'x-api-key: '],
  ['bearerKey', 'authorization: Bearer '],
  ['analyticsToken', 'TGA-Auth-Token: '],
])

/** The request as a shell command, with the API key in the variable KEY. */
function toCurl({ origin, method, path, security }: Target, request: SampleRequest): string {
  const { query = '', body } = request
  const keyHeader = KEY_HEADERS.get(Object.keys(security[0] ?? {})[0] ?? '') ?? ''
  const address = quote(`${origin}${fillPath(path, request)}`)
  return [
    `curl ${optionOf(method, request)}${query ? '-G ' : ''}${address}`,
    `-H "${keyHeader}$KEY"`,
    ...query.split('&').filter(Boolean).map(toOption),
    ...(body !== undefined ? toBody(body) : []),
  ].join(' \\\n  ')
}

/** The path of an operation with the request's values in it. */
export function fillPath(template: string, { path = {} }: SampleRequest): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
}

function toBody(body: unknown): string[] {
  if (typeof body === 'string') return [`-H 'content-type: ${LINES}'`, `--data-binary ${quote(body)}`]
  return [`-H 'content-type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`]
}

/** With a body, curl sends a POST by itself. */
function optionOf(method: string, { body }: SampleRequest): string {
  return method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()} `
}

function toOption(pair: string): string {
  return /^[\w.=-]+$/.test(pair) ? `-d ${pair}` : `--data-urlencode ${quote(pair)}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
