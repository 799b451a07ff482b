import { cut, NAME_CHARACTERS, TEXT_CHARACTERS } from '../base/text/text.ts'

/** So that the largest event fits well into a queue message of 128 KB. */
const MAX_PARAMS_BYTES = 16_384
const MAX_PARAMS_DEPTH = 16
/** More would not fit anyway; a body of one megabyte may hold 100,000. */
const MAX_PROPERTIES = 2_000

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Path = (string | number)[]

/** A part of an event's parameters that is not kept as it was sent. */
export interface LeftOut {
  readonly loc: Path
  readonly msg: string
}

const LARGE = `Left out: at most ${MAX_PARAMS_BYTES} bytes of JSON are kept of an event's parameters`
const MANY = `Left out: properties after the first ${MAX_PROPERTIES}`
const DEEP = `Left out: parameters are kept ${MAX_PARAMS_DEPTH} levels deep`
const LONG_TEXT = `Cut: of a text ${TEXT_CHARACTERS} characters are kept`
const LONG_KEY = `Cut: of a property's name ${NAME_CHARACTERS} characters are kept`

/** In the words of the contract. */
export const PARAMS_LIMITS =
  `At most ${MAX_PARAMS_BYTES / 1024} KiB of JSON are kept, ${MAX_PARAMS_DEPTH} levels deep, of each text ` +
  `${TEXT_CHARACTERS} characters: a property that does not fit is left out, those after it stay.`

/** How many of them an answer lists: a body of one megabyte may hold half a million. */
export const MAX_LEFT_OUT = 100

export interface Params {
  /** The JSON of an object; null if there is no property to keep. */
  readonly json: string | null
  /** `loc` is the path within the parameters. */
  readonly leftOut: readonly LeftOut[]
}

/**
 * An event's parameters, cut to size: texts at 1024 characters, values nested deeper than 16 levels to null, the whole at
 * 16 KiB. A property that does not fit there any more is left out; those after it stay where they fit.
 */
export function toParams(value: unknown): Params {
  if (!isObject(value)) return NO_PARAMS
  if (isWithinLimits(value)) {
    const json = JSON.stringify(value)
    if (Buffer.byteLength(json) <= MAX_PARAMS_BYTES) return json === '{}' ? NO_PARAMS : { json, leftOut: [] }
  }
  return cutToSize(value)
}

const NO_PARAMS: Params = { json: null, leftOut: [] }

/** Whether nothing but their size may ask for a cut, as of nearly all parameters. It may be false if nothing does. */
function isWithinLimits(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isShort(value, TEXT_CHARACTERS)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= MAX_PARAMS_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isWithinLimits(item, depth + 1))
  let properties = 0
  for (const name in value) {
    properties += 1
    if (properties > MAX_PROPERTIES || !isShort(name, NAME_CHARACTERS)) return false
    if (!isWithinLimits((value as Record<string, unknown>)[name], depth + 1)) return false
  }
  return true
}

/** Whether a text may be stored as it is: neither longer than this, nor with NUL or half of a surrogate pair. */
export function isShort(text: string, characters: number): boolean {
  return text.length <= characters && text.isWellFormed() && !text.includes('\0')
}

function cutToSize(value: Record<string, unknown>): Params {
  const parts: string[] = []
  const leftOut: LeftOut[] = []
  let bytes = '{'.length
  for (const [index, [name, item]] of Object.entries(value).entries()) {
    if (index === MAX_PROPERTIES) {
      add(leftOut, { loc: [], msg: MANY })
      break
    }
    const notes: LeftOut[] = []
    const key = pruneKey(name, [], notes)
    const part = `${JSON.stringify(key)}:${JSON.stringify(prune(item as Json, [key], notes))}`
    const size = Buffer.byteLength(part) + ','.length
    if (bytes + size > MAX_PARAMS_BYTES) {
      add(leftOut, { loc: [key], msg: LARGE })
      continue
    }
    bytes += size
    parts.push(part)
    for (const note of notes) add(leftOut, note)
  }
  return { json: parts.length > 0 ? `{${parts.join(',')}}` : null, leftOut }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function prune(value: Json, path: Path, notes: LeftOut[]): Json {
  if (typeof value === 'string') return pruneText(value, path, notes)
  if (typeof value !== 'object' || value === null) return value
  if (path.length >= MAX_PARAMS_DEPTH) {
    add(notes, { loc: path, msg: DEEP })
    return null
  }
  if (Array.isArray(value)) return value.map((item, index) => prune(item, [...path, index], notes))
  const entries = Object.entries(value).map(([name, item]) => {
    const key = pruneKey(name, path, notes)
    return [key, prune(item, [...path, key], notes)] as const
  })
  return Object.fromEntries(entries)
}

function pruneText(text: string, path: Path, notes: LeftOut[]): string {
  const kept = cut(storable(text), TEXT_CHARACTERS)
  if (kept.length < text.length) add(notes, { loc: path, msg: LONG_TEXT })
  return kept
}

function pruneKey(name: string, path: Path, notes: LeftOut[]): string {
  const kept = cut(storable(name), NAME_CHARACTERS)
  if (kept.length < name.length) add(notes, { loc: [...path, kept], msg: LONG_KEY })
  return kept
}

function add(notes: LeftOut[], note: LeftOut): void {
  if (notes.length < MAX_LEFT_OUT) notes.push(note)
}

/** SQLite ends a text at NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Replaces what nests deeper than `levels` by null; returns the same value if nothing does. */
export function toShallow(value: unknown, levels: number): unknown {
  return isDeeper(value, levels) ? cutBelow(value, levels) : value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1))
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutBelow(item, levels - 1)]))
}
