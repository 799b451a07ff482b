import { compareDecimals, type Decimal, parseDecimal } from '../../base/decimal.ts'
import type { Param, Segment } from '../../columns/columns.ts'
import { NONE } from '../../columns/selection/filter.ts'
import { textOfJson } from '../../columns/selection/matching.ts'

/** A parameter's values in a segment, by rank: 0 stands for a missing one. */
export interface ValueCodes {
  /** By event. */
  readonly codes: Uint16Array
  /** By code. */
  readonly ranks: Uint32Array
  /** Ranks are below this. */
  readonly count: number
}

/** Null where no event of the segment has the parameter. */
export type ReadValues<Values> = (segment: Segment) => Values | null

/** A number, with the double nearest to it: most comparisons need no more. */
export interface NumericValue extends Decimal {
  readonly near: number
}

export function compareNumeric(a: NumericValue, b: NumericValue): number {
  return a.near - b.near || (a === b ? 0 : compareDecimals(a, b))
}

/** The rank of all values that are not numeric. */
export const NOT_NUMERIC = 1

export interface NumericValues extends ValueCodes {
  /** By rank less `FIRST_NUMERIC`. */
  readonly numbers: readonly NumericValue[]
}

export const FIRST_NUMERIC = 2

export const FIRST_TEXT = 1

export interface TextValues extends ValueCodes {
  /** By rank less `FIRST_TEXT`. */
  readonly texts: readonly string[]
}

/** The text of a value as it is compared; null where it cannot be told from a missing one. */
function textOf(json: string): string | null {
  const text = textOfJson(json)
  return text === NONE ? null : text
}

/** In order, where that is asked for: of many values it takes long. */
export function readNumeric(name: string, { isOrdered }: { isOrdered: boolean }): ReadValues<NumericValues> {
  const parse = remembering(parseNumeric)
  return perSegment(name, ({ codes, values }) => {
    const ranks = new Uint32Array(values.length + 1)
    const found: { readonly code: number; readonly number: NumericValue }[] = []
    for (const [index, json] of values.entries()) {
      const number = parse(json)
      if (number) found.push({ code: index + 1, number })
      else ranks[index + 1] = textOf(json) === null ? 0 : NOT_NUMERIC
    }
    if (isOrdered) found.sort((a, b) => compareNumeric(a.number, b.number))
    for (const [index, { code }] of found.entries()) ranks[code] = index + FIRST_NUMERIC
    return { codes, ranks, count: found.length + FIRST_NUMERIC, numbers: found.map(({ number }) => number) }
  })
}

export function readTexts(name: string): ReadValues<TextValues> {
  return perSegment(name, ({ codes, values }) => {
    const ranks = new Uint32Array(values.length + 1)
    const texts: string[] = []
    for (const [index, json] of values.entries()) {
      const text = textOf(json)
      if (text !== null) ranks[index + 1] = texts.push(text)
    }
    return { codes, ranks, count: texts.length + 1, texts }
  })
}

function parseNumeric(json: string): NumericValue | null {
  const text = textOf(json)
  const decimal = text === null ? null : parseDecimal(text)
  // Adding 0 makes 0 of -0.
  return decimal && { ...decimal, near: Number(text) + 0 }
}

/** So many values are held at once, in about 10 MB. */
const REMEMBERED_VALUES = 32_768
const REMEMBERED_CHARACTERS = 40

/** Most segments have the same few values. */
export function remembering<T>(parse: (json: string) => T): (json: string) => T {
  const known = new Map<string, T>()
  return (json) => {
    const before = known.get(json)
    if (before !== undefined) return before
    const parsed = parse(json)
    if (known.size < REMEMBERED_VALUES && json.length <= REMEMBERED_CHARACTERS) known.set(json, parsed)
    return parsed
  }
}

/** Segments come one day after another, or again and again: the last one is held, and others while there is room. */
function perSegment<Values>(name: string, read: (param: Param) => Values): ReadValues<Values> {
  const held = new WeakMap<Segment, Values | null>()
  let [last, lastValues, room]: [Segment | null, Values | null, number] = [null, null, REMEMBERED_VALUES]
  return (segment) => {
    if (segment === last) return lastValues
    const known = held.get(segment)
    const param = known === undefined ? segment.param(name) : null
    const values = known ?? (param && read(param))
    const size = param ? param.values.length : 0
    if (known === undefined && size <= room) {
      held.set(segment, values)
      room -= size
    }
    last = segment
    lastValues = values
    return values
  }
}
