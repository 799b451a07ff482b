import type { Columns } from '../columns.ts'
import type { Codes } from '../flat-arrays.ts'
import { type CodedProperty, type EventProperty, isOfUser, NONE } from './filter.ts'
import { textOfJson } from './matching.ts'
import { propertyCodes } from './property-codes.ts'
import { type SelectableRows, translate } from './rows.ts'
import { textReader } from './texts.ts'

/** A property of contexts or of rows: a code for each of them, and the text that a code stands for. */
export interface Coded<C extends Codes = Codes> {
  readonly codes: C
  /** Codes are below this. */
  readonly count: number
  textOf(code: number): string
}

/** One property or two, with a text for each. */
export interface Combined<C extends Codes = Codes> {
  readonly codes: C
  readonly count: number
  valuesOf(code: number): readonly string[]
}

/** A property of all contexts, or of all users. */
export interface CodedWhole extends Coded<Uint32Array> {
  /** Null if none of them has this value. */
  codeOf(text: string): number | null
}

export function codedWhole(columns: Columns, property: CodedProperty): CodedWhole {
  const { codes, values, unsaid } = propertyCodes(columns, property)
  const missing = unsaid ?? NONE
  const same = values.codeOf(missing)
  const readText = textReader(values)
  return {
    // A client may send the very text that stands for a missing value: then the two are one group.
    codes: same === 0 ? codes : codes.map((code) => (code === same ? 0 : code)),
    count: values.count + 1,
    textOf: (code) => (code === 0 ? missing : readText(code)),
    codeOf: (text) => (text === missing ? 0 : values.codeOf(text) || null),
  }
}

/** A property of rows. */
export function codedRows(columns: Columns, property: EventProperty): (rows: SelectableRows) => Coded {
  if (property.of === 'params') return (rows) => codedParam(rows, property.name)
  const { codes, count, textOf } = codedWhole(columns, property)
  const isUsers = isOfUser(property)
  return ({ users, contexts }) => ({ codes: translate(isUsers ? users : contexts, codes), count, textOf })
}

function codedParam(rows: SelectableRows, name: string): Coded {
  const param = rows.param?.(name)
  if (!param) return { codes: new Uint16Array(rows.users.length), count: 1, textOf: () => NONE }
  const { codes, values } = param
  return { codes, count: values.length + 1, textOf: (code) => textOfJson(values[code - 1] ?? null) ?? NONE }
}

/** One property as it is, two by their pairs. */
export function combine([first, second]: readonly Coded[]): Combined {
  if (!first) throw new RangeError('nothing to group by')
  return second ? combinePairs(pairUp(first.codes, second.codes), first, second) : combineOne(first)
}

export interface CombinedWhole extends Combined<Uint32Array> {
  /** Null if there is no such context, or user. */
  codeOf(values: readonly string[]): number | null
}

/** Both are of contexts, or both of users. */
export function combineWhole([first, second]: readonly CodedWhole[]): CombinedWhole {
  if (!first) throw new RangeError('nothing to group by')
  if (!second) return { ...combineOne(first), codeOf: ([text = '']) => first.codeOf(text) }
  const pairing = pairUp(first.codes, second.codes)
  return {
    ...combinePairs(pairing, first, second),
    codeOf: ([one = '', other = '']) => numberOf(pairing, first.codeOf(one), second.codeOf(other)),
  }
}

function combineOne<C extends Codes>({ codes, count, textOf }: Coded<C>): Combined<C> {
  return { codes, count, valuesOf: (code) => [textOf(code)] }
}

function combinePairs({ codes, firsts, seconds, count }: Pairing, first: Coded, second: Coded): Combined<Uint32Array> {
  const valuesOf = (code: number) => [first.textOf(firsts[code] as number), second.textOf(seconds[code] as number)]
  return { codes, count, valuesOf }
}

function numberOf({ firsts, seconds, count }: Pairing, one: number | null, other: number | null): number | null {
  for (let pair = 0; pair < count; pair++) {
    if (firsts[pair] === one && seconds[pair] === other) return pair
  }
  return null
}

/** Pairs of two codes, numbered from 0 on in order of first sight. */
interface Pairing {
  /** The number of each row's pair. */
  readonly codes: Uint32Array
  /** The first and the second code of each pair. */
  readonly firsts: Uint32Array
  readonly seconds: Uint32Array
  readonly count: number
}

/** Uses a hash table in flat arrays: a Map would cost much more for each row than all the rest. */
function pairUp(first: Codes, second: Codes): Pairing {
  const { length } = first
  const codes = new Uint32Array(length)
  const [firsts, seconds] = [new Uint32Array(length), new Uint32Array(length)]
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * length + 1)))
  const last = slots.length - 1
  let count = 0
  for (let row = 0; row < length; row++) {
    const [one, other] = [first[row] as number, second[row] as number]
    let slot = slotOf(one, other) & last
    let pair = slots[slot] as number
    while (pair !== 0 && (firsts[pair - 1] !== one || seconds[pair - 1] !== other)) {
      slot = (slot + 1) & last
      pair = slots[slot] as number
    }
    if (pair === 0) {
      firsts[count] = one
      seconds[count] = other
      pair = ++count
      slots[slot] = pair
    }
    codes[row] = pair - 1
  }
  return { codes, firsts, seconds, count }
}

function slotOf(one: number, other: number): number {
  const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other + 1, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
