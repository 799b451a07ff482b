import { compareTexts } from '../../base/text/order.ts'
import { type Filter, isNumber, NONE, type Operator } from './filter.ts'

/** Whether a value passes a filter: the text of a context's property, or the JSON of a parameter; null if it is missing. */
export type Test = (value: string | null) => boolean

export function testOf({ property, operator, values }: Filter): Test {
  const isJson = property.of === 'params'
  if (operator === 'set is' || operator === 'set is not') {
    const isSame = setIs(values, isJson)
    return operator === 'set is' ? isSame : not(isSame)
  }
  const test = TESTS[operator](values)
  return isJson ? (json) => test(textOfJson(json)) : test
}

/** A string itself, and the JSON of everything else; null is no value. */
export function textOfJson(json: string | null): string | null {
  if (json === null || json === 'null') return null
  if (!json.startsWith('"')) return json
  // A parameter may have a million values, few of which have anything to unescape.
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)
}

type MakeTest = (values: readonly string[]) => Test

const is: MakeTest = (values) => {
  const wanted = new Set(values)
  return (text) => wanted.has(text ?? NONE)
}

const contains: MakeTest = (values) => (text) => text !== null && values.some((value) => text.includes(value))

function not(test: Test): Test {
  return (value) => !test(value)
}

const TESTS: Readonly<Record<Exclude<Operator, 'set is' | 'set is not'>, MakeTest>> = {
  is,
  'is not': (values) => not(is(values)),
  contains,
  'does not contain': (values) => not(contains(values)),
  greater: ordering((order) => order > 0),
  'greater or equal': ordering((order) => order >= 0),
  less: ordering((order) => order < 0),
  'less or equal': ordering((order) => order <= 0),
}

/** Compares as numbers if both sides are JSON numbers, else as text. */
function ordering(isMeant: (order: number) => boolean): MakeTest {
  return (values) => {
    const numbers = values.filter(isNumber).map(Number)
    const words = values.filter((value) => !isNumber(value))
    const isMeantOf = (text: string, others: readonly string[]) =>
      others.some((other) => isMeant(compareTexts(text, other)))
    return (text) => {
      if (text === null) return false
      if (!isNumber(text)) return isMeantOf(text, values)
      const number = Number(text)
      return numbers.some((other) => isMeant(compareNumbers(number, other))) || isMeantOf(text, words)
    }
  }
}

/** Both may be infinite. */
function compareNumbers(a: number, b: number): number {
  return Number(a > b) - Number(a < b)
}

/** Whether the distinct items of an array, or a single value, are exactly these. */
function setIs(values: readonly string[], isJson: boolean): Test {
  const wanted = new Set(values)
  return (value) => {
    const items = new Set(isJson ? itemsOf(value) : itemOf(value))
    return items.size === wanted.size && [...items].every((item) => wanted.has(item))
  }
}

/** A missing value has no items, and no filter asks for none. */
function itemsOf(json: string | null): string[] {
  if (!json?.startsWith('[')) return itemOf(textOfJson(json))
  const items = JSON.parse(json) as unknown[]
  return items.map((item) => textOfJson(JSON.stringify(item)) ?? NONE)
}

function itemOf(text: string | null): string[] {
  return text === null ? [] : [text]
}
