import { z } from 'zod'

/** The default and the largest maximum age of init data that is checked. */
export const DEFAULT_INIT_DATA_HOURS = 24
export const MAX_INIT_DATA_HOURS = 168

/** The messenger's clock and ours may differ by this much. */
export const INIT_DATA_AHEAD_MS = 5 * 60_000

/** What the messenger signs is far shorter. */
export const MAX_INIT_DATA_CHARACTERS = 8192

/** What the messenger says about the start of a mini-app: https://core.telegram.org/bots/webapps#webappinitdata */
export interface InitData {
  readonly text: string
  readonly fields: ReadonlyMap<string, string>
  /** When the mini-app was opened: milliseconds since 1970 UTC; null if unknown. */
  readonly openedAt: number | null
  /** Null if the messenger names no user. */
  readonly user: User | null
}

type User = z.output<typeof User>

const User = z.looseObject({ id: z.int().positive() })

/**
 * Reads init data, a text of `name=value&…`; null if it is none. The messenger signs one line per field: with a duplicate field, or an
 * unexpected line break or equals sign, the same lines could be read in two ways.
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
