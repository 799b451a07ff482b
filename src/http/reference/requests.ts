import { LINES } from '../api/answers.ts'
import type { SampleRequest } from '../api/sample.ts'
import { toJsonText } from './json-text.ts'

interface Target {
  /** Scheme and host of the service, as its caller names it. */
  readonly origin: string
  readonly method: string
  readonly path: string
  /** The header that carries the key, up to the key itself. */
  readonly keyHeader: string
}

/** The request as a shell command, with the API key in the variable KEY. */
export function toCurl({ origin, method, path, keyHeader }: Target, request: SampleRequest): string {
  const { query = '', body } = request
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
  return [`-H 'content-type: application/json'`, `-d ${quote(toJsonText(body))}`]
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
