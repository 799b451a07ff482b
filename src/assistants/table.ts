import { cut } from '../base/text/text.ts'

/** Enough for a month of days; the structured answer has all rows. */
export const MAX_ROWS = 31
const MAX_COLUMNS = 20
const MAX_CELL_CHARACTERS = 60
const MAX_CHARACTERS = 6_000

type Json = Readonly<Record<string, unknown>>

/** A JSON answer in a few lines and short tables, for an assistant that reads text only. */
export function toTables(answer: unknown): string {
  const text = linesOf(answer).join('\n')
  return text.length <= MAX_CHARACTERS
    ? text
    : `${cut(text, MAX_CHARACTERS)}…\n(shortened; the structured answer has all)`
}

/** The fields that every answer has. They precede its tables. */
const ENVELOPE = ['status_code', 'message', 'warnings']

function linesOf(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return linesOfList(value, name)
  if (!isObject(value)) return [name === '' ? toCell(value) : `${name}: ${toCell(value)}`]
  const series = seriesIn(value)
  const others = Object.entries(value).filter(
    ([field]) => !ENVELOPE.includes(field) && !(series && ['xValues', 'yValues'].includes(field)),
  )
  const inner = others.flatMap(([field, part]) => linesOf(part, name === '' ? field : `${name}.${field}`))
  return series ? [...tableOfSeries(series), ...inner] : inner
}

function linesOfList(list: readonly unknown[], name: string): string[] {
  const title = name === '' ? [] : [`${name}:`]
  if (list.length === 0) return [`${name === '' ? '' : `${name}: `}(none)`]
  const [only] = list
  if (list.length === 1 && isObject(only) && Object.values(only).some((part) => isObject(part) || Array.isArray(part)))
    return linesOf(only, name)
  if (list.every(Array.isArray))
    return [...title, ...list.slice(0, MAX_ROWS).map((row) => row.map(toCell).join(', ')), ...restOf(list.length)]
  if (list.every(isObject)) {
    const columns = [...new Set(list.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS)
    const rows = list.slice(0, MAX_ROWS).map((row) => columns.map((column) => row[column]))
    return [...title, ...tableOf(columns, rows, list.length)]
  }
  const items = list.slice(0, MAX_ROWS).map(toCell).join(', ')
  return [[...title, items, ...restOf(list.length)].join(' ')]
}

interface ShownSeries {
  readonly xValues: { readonly name: string; readonly data: readonly unknown[] }
  readonly yValues: readonly { readonly name: string; readonly data: readonly unknown[]; readonly key_value?: number }[]
}

function seriesIn({ xValues, yValues }: Json): ShownSeries | null {
  const isSeries = isObject(xValues) && Array.isArray(xValues.data) && Array.isArray(yValues) && yValues.every(isObject)
  return isSeries ? ({ xValues, yValues } as unknown as ShownSeries) : null
}

/** A row per day, value or step, and a last one for the headline figures. */
function tableOfSeries({ xValues, yValues }: ShownSeries): string[] {
  const shown = yValues.slice(0, MAX_COLUMNS)
  const rows = xValues.data.slice(0, MAX_ROWS).map((label, row) => [label, ...shown.map(({ data }) => data[row])])
  const total = ['key_value', ...shown.map(({ key_value: headline }) => headline)]
  const others = yValues.length - shown.length
  return [
    ...tableOf([xValues.name, ...shown.map(({ name }) => name)], [...rows, total], xValues.data.length + 1),
    ...(others > 0 ? [`(and ${others} more series)`] : []),
  ]
}

function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[], all: number): string[] {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.map(toCell).join(' | ')} |`)
  return all > rows.length ? [...lines, `(and ${all - rows.length} more rows)`] : lines
}

function restOf(all: number): string[] {
  return all > MAX_ROWS ? [`(and ${all - MAX_ROWS} more)`] : []
}

/** The significant digits of a figure with decimals. */
const DIGITS = 6

function integerDigitsOf(value: number): number {
  return Math.min(21, Math.trunc(Math.abs(value)).toString().length)
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(Number(value.toPrecision(Math.max(DIGITS, integerDigitsOf(value)))))
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  return line.length <= MAX_CELL_CHARACTERS ? line : `${cut(line, MAX_CELL_CHARACTERS)}…`
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
