import { z } from '@hono/zod-openapi'
import { jsonFault } from '../base/json-fault.ts'
import { issue } from './params.ts'

/** The items in one occurrence of a parameter. Throws a SyntaxError if it must be JSON and is not. */
type ReadItems = (text: string, isOnly: boolean) => readonly unknown[]

interface ListOptions {
  readonly min?: number
  readonly max?: number
  /** The expected JSON, for the message of the fault. */
  readonly form?: string
}

/** A list in a query: the items of all occurrences of the parameter, in order. */
export function listParam<S extends z.ZodType>(
  read: ReadItems,
  item: S,
  { min = 0, max = Number.MAX_SAFE_INTEGER, form }: ListOptions,
) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given, context) => {
      const texts = [given].flat()
      return texts.flatMap((text, index) => {
        try {
          return read(text, texts.length === 1)
        } catch (error) {
          const path = texts.length === 1 ? [] : [index]
          const { type, msg } = jsonFault(text, error)
          context.addIssue({ ...issue(type, form ? `${msg}. Input should be ${form}` : msg), path, input: text })
          return z.NEVER
        }
      })
    })
    .pipe(z.array(item).min(min).max(max))
}

/** Schemas that only texts of JSON refer to, by their names in the document. */
export const JSON_ITEMS = new Map<string, z.ZodType>()

/** A list as JSON: one text, as `JSON.stringify` writes it, or several. The document has a schema of this name for its items. */
export function jsonListParam<S extends z.ZodType>(name: string, item: S, { min, max, form }: Required<ListOptions>) {
  JSON_ITEMS.set(name, item)
  const schema = listParam(jsonItems, item, { min, max, form: `${form}, or an array of these objects` })
  return { schema, described: jsonText({ type: 'array', items: refTo(name), minItems: min, maxItems: max }) }
}

/** What the document says of a parameter that holds JSON: a text, whose JSON has this schema. */
export function jsonText(contentSchema: object) {
  return { type: 'string' as const, contentMediaType: 'application/json', contentSchema }
}

export function refTo(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

/** JSON: one item or an array. */
export const jsonItems: ReadItems = (text) => [JSON.parse(text)].flat()

/** A JSON array, or words separated by commas. */
export const wordItems: ReadItems = (text) => arrayIn(text) ?? text.split(',').map((word) => word.trim())

/** One item as it is, or a JSON array if the parameter is given once. */
export const textItems: ReadItems = (text, isOnly) => (isOnly && arrayIn(text)) || [text]

/** Null if the text is no JSON array: names such as `[TS] Click` also begin with a bracket. */
function arrayIn(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
