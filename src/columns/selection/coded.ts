import { type PropertyName, propertyOf } from '../../base/event.ts'
import type { Columns } from '../columns.ts'
import { type EventProperty, NONE } from './filter.ts'
import { textOfJson } from './matching.ts'
import { type Pairing, pairUp } from './pairing.ts'
import { type Codes, type SelectableRows, translate } from './rows.ts'
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

/** A property of all contexts. */
export interface CodedContexts extends Coded<Uint32Array> {
  /** Null where no context has this value. */
  codeOf(text: string): number | null
}

export function codedContexts(columns: Columns, name: PropertyName): CodedContexts {
  const values = columns.contextValues(name)
  const codes = columns.contextCodes(name)
  const missing = propertyOf(name).unsaid ?? NONE
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
  const { codes, count, textOf } = codedContexts(columns, property.name)
  return ({ contexts }) => ({ codes: translate(contexts, codes), count, textOf })
}

function codedParam(rows: SelectableRows, name: string): Coded {
  const param = rows.param?.(name)
  if (!param) return { codes: new Uint16Array(rows.users.length), count: 1, textOf: () => NONE }
  const texts = [NONE, ...param.values.map((json) => textOfJson(json) ?? NONE)]
  return { codes: param.codes, count: texts.length, textOf: (code) => texts[code] as string }
}

/** One property as it is, two by their pairs. */
export function combine([first, second]: readonly Coded[]): Combined {
  if (!first) throw new RangeError('nothing to group by')
  return second ? combinePairs(pairUp(first.codes, second.codes), first, second) : combineOne(first)
}

export interface CombinedContexts extends Combined<Uint32Array> {
  /** Null where there is no such context. */
  codeOf(values: readonly string[]): number | null
}

export function combineContexts([first, second]: readonly CodedContexts[]): CombinedContexts {
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
