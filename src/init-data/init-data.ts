import { z } from 'zod'

/** How old init data may be where it is checked: what an application has at first, and at most. */
export const DEFAULT_INIT_DATA_HOURS = 24
export const MAX_INIT_DATA_HOURS = 168

/** What the messenger signs is far shorter. */
export const MAX_INIT_DATA_CHARACTERS = 8192

/** What the messenger says about the start of a mini-app: https://core.telegram.org/bots/webapps#webappinitdata */
export interface InitData {
  /** All of it, as it came. */
  readonly text: string
  /** Each field once, as it came. */
  readonly fields: ReadonlyMap<string, string>
  /** When the mini-app was opened: milliseconds since 1970 UTC; null where it does not say. */
  readonly openedAt: number | null
  /** Null where a mini-app was opened by nobody in particular. */
  readonly user: User | null
}

type User = z.output<typeof User>

const User = z.looseObject({ id: z.int().positive() })

/**
 * Reads init data, a text of `name=value&…`; null where it is none. What is signed is the lines of its fields: with a field
 * twice, or a line break or an equals sign where the messenger has none, the same lines could be read in two ways.
 */
export function parseInitData(text: string): InitData | null {
  if (text.length > MAX_INIT_DATA_CHARACTERS) return null
  const pairs = [...new URLSearchParams(text)]
  const fields = new Map(pairs)
  const isPlain = pairs.every(([name, value]) => /^\w+$/.test(name) && !/[\r\n]/.test(value))
  if (pairs.length === 0 || fields.size < pairs.length || !isPlain) return null
  return { text, fields, openedAt: openedAtOf(fields), user: objectOf(fields.get('user'), User) }
}

function openedAtOf(fields: InitData['fields']): number | null {
  const date = fields.get('auth_date') ?? ''
  return /^\d{1,12}$/.test(date) ? Number(date) * 1000 : null
}

const Chat = z.looseObject({ type: z.string() })

/** The type of the chat that the mini-app was opened from. */
export function chatTypeOf({ fields }: InitData): string | undefined {
  return fields.get('chat_type') ?? objectOf(fields.get('chat'), Chat)?.type
}

function objectOf<T>(json: string | undefined, schema: z.ZodType<T>): T | null {
  const { data = null } = schema.safeParse(parseJson(json))
  return data
}

function parseJson(text = 'null'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
