import type { PropertyName } from '../collection/event.ts'
import type { Columns } from '../columns/columns.ts'
import { NONE, type Property } from '../reports/filters/filter.ts'
import { textOfJson } from '../reports/filters/matching.ts'
import { pairUp } from './pairing.ts'
import { type Codes, type Rows, translate } from './rows.ts'

/** Codes of contexts or of rows, and the values that a code stands for: one for each property. */
export interface Coded<C extends Codes = Codes> {
  readonly codes: C
  /** Codes are below. */
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
    valuesOf: (code) => [code === 0 ? NONE : values.textOf(code)],
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
  const { codes, count, valuesOf } = codedContexts(columns, property.name)
  return ({ contexts }) => ({ codes: translate(contexts, codes), count, valuesOf })
}

function codedParam(rows: Rows, name: string): Coded {
  const param = rows.param?.(name)
  if (!param) return { codes: new Uint16Array(rows.users.length), count: 1, valuesOf: () => [NONE] }
  return {
    codes: param.codes,
    count: param.values.length + 1,
    valuesOf: (code) => [textOfJson(param.values[code - 1] ?? null) ?? NONE],
  }
}

/** One property as it is, two by their pairs. */
export function combine<C extends Codes>([first, second]: readonly Coded<C>[]): Coded<C | Uint32Array> {
  if (!first) throw new RangeError('nothing to group by')
  if (!second) return first
  const { codes, firsts, seconds, count } = pairUp(first.codes, second.codes)
  const valuesOf = (code: number) => [
    ...first.valuesOf(firsts[code] as number),
    ...second.valuesOf(seconds[code] as number),
  ]
  return { codes, count, valuesOf }
}
