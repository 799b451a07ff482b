import { compareDecimals, type Decimal, decimalOf, digitsAt, parseDecimal } from '../../base/decimal.ts'
import type { Derivation, Param } from '../columns.ts'
import { NONE } from './filter.ts'
import { textOfJson } from './matching.ts'
import type { SelectableRows } from './rows.ts'

/** What the value of a code is; 0 if it is missing. */
export const NUMBER = 1
export const NOT_NUMERIC = 2

/** A parameter's values in a segment, as numbers. */
export interface ParamNumbers {
  /** The code of each event. Codes of numbers begin at 1 and are in order of the numbers; those of other values follow. */
  readonly codes: Uint16Array
  /** How many codes are of numbers. */
  readonly count: number
  /** What the value of each code is. */
  readonly kinds: Uint8Array
  /** The double nearest to the number of each code; NaN if there is none. */
  readonly near: Float64Array
  /**
   * The digits of each code's number in groups of nine, each signed like the number. A group's key says how many digits its last one
   * is behind the decimal point: 0, 9, 18, … or, before it, -9, -18, … Groups in which no number has digits are left out. Numbers with
   * at most nine digits in all are one group.
   */
  readonly groupsOfNine: ReadonlyMap<number, Int32Array>
  /** Whether a number may differ from the shortest decimal of its nearest double: then that does not say which one it is. */
  readonly isInexact: boolean
  /** Whether each event has a number. */
  readonly isComplete: boolean
}

const NINE = 9
/** Numbers have no digits further behind the point. */
export const LAST_SCALE = 12 * NINE
/** Where the last digit of short numbers may be: sums are kept apart by it, so it is one of few. */
const SHORT_SCALES = [2, 4, 6]
const NINE_DIGITS = 10 ** NINE

/** A parameter of a segment as numbers: read once, and cached beside the segment. Null if no event has it. */
export function numbersOf(rows: SelectableRows, name: string): ParamNumbers | null {
  return rows.derived?.(name, NUMBERS) ?? null
}

const NUMBERS: Derivation<ParamNumbers> = {
  kind: 'numbers',
  make: numbersIn,
  bytesOf: ({ codes, kinds, near, groupsOfNine }) =>
    codes.byteLength + kinds.byteLength + near.byteLength + groupsOfNine.size * 4 * near.length,
}

/** The number of a code, exactly. */
export function decimalAt({ groupsOfNine }: Pick<ParamNumbers, 'groupsOfNine'>, code: number): Decimal {
  const last = Math.max(0, ...groupsOfNine.keys())
  let digits = 0n
  for (const [scale, groups] of groupsOfNine) digits += toDigits(groups[code] as number, scale, last)
  return decimalOf(digits, last)
}

/** A group of nine digits, or a sum of several, as a multiple of a digit further behind: of the last one that numbers can have, if not told. */
export function toDigits(group: number, scale: number, last = LAST_SCALE): bigint {
  return BigInt(group) * 10n ** BigInt(last - scale)
}

/** A parameter as numbers. */
function numbersIn({ codes, values }: Param): ParamNumbers {
  return inOrder(codes, readNumbers(values))
}

/** Reads values as numbers, by the codes that they are stored by. */
export function readNumbers(values: Param['values']): NumbersRead {
  const reader = new NumberReader(values.length + 1)
  for (const [index, json] of values.entries()) reader.read(index + 1, json)
  return { ...reader, groupsOfNine: joined(reader.groupsOfNine) }
}

/** Adding up one group instead of two takes half the time, and most amounts are short enough. */
function joined(groups: ReadonlyMap<number, Int32Array>): ReadonlyMap<number, Int32Array> {
  const [whole, fraction] = [groups.get(0), groups.get(NINE)]
  if (!whole || !fraction || groups.size > 2) return groups
  for (const scale of SHORT_SCALES) {
    const [power, rest] = [POWERS[scale] as number, POWERS[NINE - scale] as number]
    const areShort = fraction.every(
      (after, code) => after % rest === 0 && Math.abs((whole[code] as number) * power + after / rest) < NINE_DIGITS,
    )
    if (areShort)
      return new Map([[scale, whole.map((before, code) => before * power + (fraction[code] as number) / rest)]])
  }
  return groups
}

type NumbersRead = Pick<ParamNumbers, 'kinds' | 'near' | 'groupsOfNine' | 'isInexact'>

function inOrder(codes: Uint16Array, { kinds, near, groupsOfNine, isInexact }: NumbersRead): ParamNumbers {
  const isNumber = (code: number) => kinds[code] === NUMBER
  const numbers = Uint32Array.from(kinds.keys()).filter(isNumber)
  const compareExactly = (a: number, b: number) =>
    isInexact && near[a] === near[b]
      ? compareDecimals(decimalAt({ groupsOfNine }, a), decimalAt({ groupsOfNine }, b))
      : 0
  numbers.sort((a, b) => (near[a] as number) - (near[b] as number) || compareExactly(a, b))
  const before = [0, ...numbers, ...Array.from(kinds.keys()).filter((code) => code > 0 && !isNumber(code))]
  const now = new Uint16Array(before.length)
  for (const [code, other] of before.entries()) now[other] = code
  const moved = <A extends Uint8Array | Float64Array | Int32Array>(array: A) =>
    array.map((_, code) => array[before[code] as number] as number) as A
  return {
    codes: codes.map((code) => now[code] as number),
    count: numbers.length,
    kinds: moved(kinds),
    near: moved(near),
    groupsOfNine: new Map(Array.from(groupsOfNine, ([scale, groups]) => [scale, moved(groups)])),
    isInexact,
    isComplete: !codes.includes(0) && numbers.length === before.length - 1,
  }
}

/** So many digits are exact as a double, whatever they are. */
const EXACT_DIGITS = 15
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)
const [QUOTE, MINUS, POINT, DIGIT_0, DIGIT_9] = [34, 45, 46, 48, 57]

class NumberReader {
  readonly kinds: Uint8Array
  readonly near: Float64Array
  readonly groupsOfNine = new Map<number, Int32Array>()
  isInexact = false
  /** The groups before and after the point, which most numbers need. */
  #before: Int32Array | null = null
  #after: Int32Array | null = null

  constructor(size: number) {
    this.kinds = new Uint8Array(size)
    this.near = new Float64Array(size).fill(Number.NaN)
  }

  read(code: number, json: string): void {
    if (!this.#readShort(code, json)) this.#readAny(code, json)
  }

  /** Reads at most 15 digits, perhaps with a point. Most numbers are so; the others take much longer. */
  #readShort(code: number, json: string): boolean {
    const isText = json.charCodeAt(0) === QUOTE
    const end = isText ? json.length - 1 : json.length
    const isNegative = json.charCodeAt(isText ? 1 : 0) === MINUS
    const first = (isText ? 1 : 0) + (isNegative ? 1 : 0)
    let [whole, point] = [0, end]
    if (end - first > EXACT_DIGITS + 1) return false
    for (let at = first; at < end; at += 1) {
      const unit = json.charCodeAt(at)
      if (unit >= DIGIT_0 && unit <= DIGIT_9) whole = whole * 10 + unit - DIGIT_0
      else if (unit === POINT && point === end) point = at
      else return false
    }
    const scale = Math.max(0, end - point - 1)
    const digits = end - first - (point < end ? 1 : 0)
    const isJsonNumber =
      point > first && point !== end - 1 && (point === first + 1 || json.charCodeAt(first) !== DIGIT_0)
    if (!isJsonNumber || digits > EXACT_DIGITS) return false
    this.#setShort(code, isNegative ? -whole : whole, scale)
    return true
  }

  #setShort(code: number, whole: number, scale: number): void {
    const power = POWERS[scale] as number
    this.kinds[code] = NUMBER
    // Both are exact, and a division rounds once. Adding 0 makes 0 of -0.
    this.near[code] = whole / power + 0
    const fraction = whole % power
    const before = (whole - fraction) / power
    this.#before ??= this.#groupsAt(0)
    this.#before[code] = before % NINE_DIGITS
    if (before >= NINE_DIGITS || before <= -NINE_DIGITS) this.#groupsAt(-NINE)[code] = Math.trunc(before / NINE_DIGITS)
    if (fraction === 0) return
    this.#after ??= this.#groupsAt(NINE)
    if (scale <= NINE) {
      this.#after[code] = fraction * (POWERS[NINE - scale] as number)
      return
    }
    const further = fraction % (POWERS[scale - NINE] as number)
    this.#after[code] = (fraction - further) / (POWERS[scale - NINE] as number)
    this.#groupsAt(2 * NINE)[code] = further * (POWERS[2 * NINE - scale] as number)
  }

  #readAny(code: number, json: string): void {
    const text = textOfJson(json)
    if (text === null || text === NONE) return
    const decimal = parseDecimal(text)
    this.kinds[code] = decimal ? NUMBER : NOT_NUMERIC
    if (!decimal) return
    this.near[code] = Number(text) + 0
    this.isInexact ||= !isShortest(decimal, this.near[code])
    const last = NINE * Math.ceil(decimal.scale / NINE)
    let digits = digitsAt(decimal, last)
    for (let scale = last; digits !== 0n; scale -= NINE) {
      const group = Number(digits % BigInt(NINE_DIGITS))
      if (group !== 0) this.#groupsAt(scale)[code] = group
      digits /= BigInt(NINE_DIGITS)
    }
  }

  #groupsAt(scale: number): Int32Array {
    const known = this.groupsOfNine.get(scale)
    if (known) return known
    const groups = new Int32Array(this.near.length)
    this.groupsOfNine.set(scale, groups)
    return groups
  }
}

function isShortest(decimal: Decimal, near: number): boolean {
  const shortest = parseDecimal(String(near))
  return shortest !== null && compareDecimals(decimal, shortest) === 0
}
