import { type Fault, Invalid } from '../base/errors.ts'
import type { Schema } from '../http/api/json-schema.ts'
import type { QuestionTool } from './tools.ts'

/** Arguments as an assistant sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** A tool's arguments as the parameters of its operation. */
export interface AskedParameters {
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/**
 * Everything else about the values is for the operation to check. A null is an argument that was not sent: some assistants send
 * all of them. Throws `Invalid` with all arguments that cannot be parameters.
 */
export function readArguments({ parameters }: Pick<QuestionTool, 'parameters'>, sent: ToolArguments): AskedParameters {
  const known = new Set(parameters.map(({ name }) => name))
  const faults: Fault[] = Object.keys(sent)
    .filter((name) => !known.has(name))
    .map((name) => ({ loc: ['query', name], ...unknownArgument(known) }))
  const [path, query] = [new Map<string, string>(), new URLSearchParams()]
  for (const { name, in: part, schema } of parameters) {
    const value = Object.hasOwn(sent, name) ? sent[name] : null
    const texts = value === null || value === undefined ? [] : textsOf(value, schema)
    const fault = texts === null ? WRONG_TYPES[typeOf(schema)] : part === 'path' ? pathFault(texts) : null
    if (fault) faults.push({ loc: [part, name], ...fault })
    else if (part === 'path') path.set(name, texts?.[0] ?? '')
    else for (const text of texts ?? []) query.append(name, text)
  }
  if (faults.length > 0) throw new Invalid(faults)
  return { path: Object.fromEntries(path), query }
}

function unknownArgument(known: ReadonlySet<string>) {
  const names = known.size > 0 ? `This tool takes ${[...known].join(', ')}` : 'This tool takes no arguments'
  return { type: 'extra_forbidden', msg: `Extra inputs are not permitted. ${names}` }
}

const WRONG_TYPES = {
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  string: { type: 'string_type', msg: 'Input should be a valid string' },
} as const

/** A text that holds a list is written as a list. */
function typeOf(schema: Schema): keyof typeof WRONG_TYPES {
  const type = schema.contentSchema?.type ?? schema.type
  return type === 'array' || type === 'integer' || type === 'boolean' ? type : 'string'
}

/** A value as occurrences of a parameter; null if it cannot be one. */
function textsOf(value: unknown, schema: Schema): string[] | null {
  const isList = typeOf(schema) === 'array'
  if (Array.isArray(value)) return isList ? itemsOf(value) : null
  if (typeof value === 'object') return isList ? [JSON.stringify(value)] : null
  return [String(value)]
}

/** One text alone that reads as a list would be taken for one. */
function itemsOf(items: readonly unknown[]): string[] {
  const texts = items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  const [only] = items
  return items.length === 1 && typeof only === 'string' && isListOfTexts(only) ? [JSON.stringify(items)] : texts
}

/** Filters and series are lists of objects, which may come as text. */
function isListOfTexts(text: string): boolean {
  try {
    const list = JSON.parse(text)
    return Array.isArray(list) && !list.every((item) => typeof item === 'object')
  } catch {
    return false
  }
}

/** A path cannot hold these: they would lead elsewhere. */
const NOT_IN_PATHS = ['', '.', '..']

function pathFault([text]: readonly string[]) {
  if (text === undefined) return { type: 'missing', msg: 'Field required' }
  if (!NOT_IN_PATHS.includes(text) && text.isWellFormed()) return null
  return { type: 'value_error', msg: 'Input should be text that an address can hold' }
}

/** The address of these parameters, behind the origin. */
export function toAddress(template: string, { path, query }: AskedParameters): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  return query.size === 0 ? filled : `${filled}?${query}`
}
