import { cut } from './text.ts'

export const STRING_CHARACTERS = 1024
const KEY_CHARACTERS = 255
/** Keeps one event, with everything else it says, well inside a queue message of 128 KB. */
export const MAX_PARAMS_BYTES = 16_384
export const MAX_PARAMS_DEPTH = 16

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * The JSON of an event's parameters, cut to size: strings at 1024 characters, values nested deeper than 16 levels to null,
 * the whole at 16 KiB, where the properties that come first stay. Null where there are none.
 */
export function toParams(value: unknown): string | null {
  if (!isObject(value)) return null
  const parts: string[] = []
  let bytes = '{'.length
  for (const [key, item] of Object.entries(value)) {
    const part = `${JSON.stringify(shorten(key, KEY_CHARACTERS))}:${JSON.stringify(prune(item as Json, 1))}`
    bytes += Buffer.byteLength(part) + ','.length
    if (bytes > MAX_PARAMS_BYTES) break
    parts.push(part)
  }
  return parts.length > 0 ? `{${parts.join(',')}}` : null
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function prune(value: Json, depth: number): Json {
  if (typeof value === 'string') return shorten(value, STRING_CHARACTERS)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_PARAMS_DEPTH) return null
  if (Array.isArray(value)) return value.map((item) => prune(item, depth + 1))
  const entries = Object.entries(value).map(
    ([key, item]) => [shorten(key, KEY_CHARACTERS), prune(item, depth + 1)] as const,
  )
  return Object.fromEntries(entries)
}

/** NUL ends a text in SQLite, so it cannot stay. */
function shorten(text: string, characters: number): string {
  return cut(text.toWellFormed().replaceAll('\0', '\uFFFD'), characters)
}

/** Whether a JSON value nests deeper than so many levels; looks no deeper than that. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

/** Where the first text lies that is too long to be kept whole, as a path of keys and indexes; null where there is none. */
export function findLongText(value: unknown): (string | number)[] | null {
  if (typeof value === 'string') return isLonger(value, STRING_CHARACTERS) ? [] : null
  if (typeof value !== 'object' || value === null) return null
  const isList = Array.isArray(value)
  for (const [key, item] of Object.entries(value)) {
    const rest = !isList && isLonger(key, KEY_CHARACTERS) ? [] : findLongText(item)
    if (rest) return [isList ? Number(key) : key, ...rest]
  }
  return null
}

function isLonger(text: string, characters: number): boolean {
  return text.length > characters && cut(text, characters) !== text
}
