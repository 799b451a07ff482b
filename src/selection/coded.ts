import type { PropertyName } from '../collection/event.ts'
import type { Columns } from '../columns/columns.ts'
import { NONE, type Property } from '../reports/filters/filter.ts'
import { textOfJson } from '../reports/filters/matching.ts'
import { pairUp } from './pairing.ts'
import { type Codes, type Rows, translate } from './rows.ts'

/** A property of contexts or of rows: a code for each of them, and the text that a code stands for. */
export interface Coded<C extends Codes = Codes> {
  readonly codes: C
  /** Codes are below. */
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
export function codedContexts(columns: Columns, name: PropertyName): Coded<Uint32Array> {
  const values = columns.contextValues(name)
  const codes = columns.contextCodes(name)
  const none = codeOfNone(columns, name)
  return {
    codes: none === null ? codes : codes.map((code) => (code === none ? 0 : code)),
    count: values.count + 1,
    textOf: (code) => (code === 0 ? NONE : values.textOf(code)),
  }
}

/** Somebody may have sent the very text that stands for a missing value; then the two are one group. */
function codeOfNone(columns: Columns, name: PropertyName): number | null {
  for (const [code, text] of columns.contextValues(name).entries()) {
    if (text === NONE) return code
  }
  return null
}

/** A property of rows. */
export function codedRows(columns: Columns, property: Property): (rows: Rows) => Coded {
  if (property.of === 'params') return (rows) => codedParam(rows, property.name)
  const { codes, count, textOf } = codedContexts(columns, property.name)
  return ({ contexts }) => ({ codes: translate(contexts, codes), count, textOf })
}

function codedParam(rows: Rows, name: string): Coded {
  const param = rows.param?.(name)
  if (!param) return { codes: new Uint16Array(rows.users.length), count: 1, textOf: () => NONE }
  const texts = [NONE, ...param.values.map((json) => textOfJson(json) ?? NONE)]
  return { codes: param.codes, count: texts.length, textOf: (code) => texts[code] as string }
}

/** One property as it is, two by their pairs. */
export function combine<C extends Codes>([first, second]: readonly Coded<C>[]): Combined<C | Uint32Array> {
  if (!first) throw new RangeError('nothing to group by')
  if (!second) return { codes: first.codes, count: first.count, valuesOf: (code) => [first.textOf(code)] }
  const { codes, firsts, seconds, count } = pairUp(first.codes, second.codes)
  const valuesOf = (code: number) => [first.textOf(firsts[code] as number), second.textOf(seconds[code] as number)]
  return { codes, count, valuesOf }
}
