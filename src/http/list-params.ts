import { z } from '@hono/zod-openapi'
import { issue } from './params.ts'

/** What one occurrence of a parameter holds. Throws a SyntaxError where it should be JSON and is none. */
type ReadItems = (text: string, isOnly: boolean) => readonly unknown[]

interface ListOptions {
  readonly min?: number
  readonly max?: number
  /** What JSON is expected, for whoever sent none. */
  readonly form?: string
}

/** A list in a query, as the parameter repeated or as several items in one: the items of all its occurrences, in order. */
export function listParam<S extends z.ZodType>(
  read: ReadItems,
  item: S,
  { min = 0, max = Number.MAX_SAFE_INTEGER, form }: ListOptions,
) {
  const notJson = issue('json_invalid', `Input should be valid JSON${form ? `: ${form}` : ''}`)
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given, context) => {
      const texts = [given].flat()
      return texts.flatMap((text, place) => {
        try {
          return read(text, texts.length === 1)
        } catch {
          const path = texts.length === 1 ? [] : [place]
          context.addIssue({ ...notJson, path, input: text })
          return z.NEVER
        }
      })
    })
    .pipe(z.array(item).min(min).max(max))
}

/** JSON: one item, or an array of them. */
export const jsonItems: ReadItems = (text) => [JSON.parse(text)].flat()

/** A JSON array, or words with commas between them. */
export const wordItems: ReadItems = (text) => arrayIn(text) ?? text.split(',').map((word) => word.trim())

/** One item as it is; or, where nothing else is given, a JSON array of them. */
export const textItems: ReadItems = (text, isOnly) => (isOnly && arrayIn(text)) || [text]

/** Null where the text is no JSON array, whatever it begins with: there are names like `[TS] Click`. */
function arrayIn(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
