import { CONTEXT_NAMES } from '../../export/names.ts'
import { Refusal } from '../refusal.ts'
import { type ForeignEvent, toFlag, toWord } from './foreign.ts'

/** The columns of a table: field → column. */
export type Mapping = ReadonlyMap<string, string>

const FIELDS = ['name', 'time', 'user', 'id', 'session', ...CONTEXT_NAMES.keys()]
const NEEDED = ['name', 'time', 'user']
const PARAMS = 'params.'

/** A wrong mapping or header; the message is a whole sentence. */
export class WrongTable extends Error {}

/** `name=event,time=ts,params.amount=sum`. Throws `WrongTable`. */
export function parseMapping(text: string): Mapping {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='))
  const mapping = new Map<string, string>()
  for (const [field = '', ...rest] of pairs) {
    const column = rest.join('=')
    if (column === '') throw new WrongTable(`--map: "${field}" has no column. Write field=column,field=column.`)
    if (!FIELDS.includes(field) && !field.startsWith(PARAMS)) {
      throw new WrongTable(`--map: there is no field "${field}". There are: ${FIELDS.join(', ')} and params.NAME.`)
    }
    if (mapping.has(field)) throw new WrongTable(`--map names the field "${field}" twice.`)
    mapping.set(field, column)
  }
  return mapping
}

export interface Table {
  readonly delimiter: string
  /** The index of each field's column. */
  readonly indexes: ReadonlyMap<string, number>
  readonly columns: number
}

/**
 * Reads a table's header. An unmapped field is the column of its name; all other columns are parameters, unless the mapping names
 * parameters. Throws `WrongTable`.
 */
export function readHeader(header: string, mapping: Mapping): Table {
  const delimiter = delimiterOf(header)
  const columns = headerCells(header, delimiter).map((column) => column.trim())
  const indexes = new Map<string, number>()
  const indexOf = (column: string) => columns.indexOf(column)
  for (const [field, column] of mapping) {
    if (indexOf(column) < 0) throw new WrongTable(`There is no column "${column}" for ${field}. ${listed(columns)}`)
    indexes.set(field, indexOf(column))
  }
  for (const field of FIELDS) if (!indexes.has(field) && indexOf(field) >= 0) indexes.set(field, indexOf(field))
  const missing = NEEDED.find((field) => !indexes.has(field))
  if (missing) {
    throw new WrongTable(
      `No column is the ${missing} of an event. Name it with --map ${missing}=COLUMN. ${listed(columns)}`,
    )
  }
  const taken = new Set(indexes.values())
  const rest = [...mapping.keys()].some((field) => field.startsWith(PARAMS)) ? [] : columns
  for (const [index, column] of rest.entries()) {
    if (!taken.has(index) && column !== '') indexes.set(PARAMS + column, index)
  }
  return { delimiter, indexes, columns: columns.length }
}

function headerCells(header: string, delimiter: string): string[] {
  try {
    return cellsOf(header, delimiter)
  } catch (error) {
    throw new WrongTable(`The header, which is the first line, cannot be read. ${(error as Error).message}.`)
  }
}

function listed(columns: readonly string[]): string {
  return `The columns are: ${columns.join(', ')}.`
}

/** The most frequent one in the header. */
function delimiterOf(header: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}

export function readRow(record: string, { delimiter, indexes, columns }: Table): ForeignEvent {
  const cells = cellsOf(record, delimiter)
  if (cells.length !== columns) throw new Refusal(`The row has ${cells.length} cells, the header ${columns}`)
  const cell = (field: string) => cells[indexes.get(field) ?? -1] ?? ''
  const params = [...indexes.keys()]
    .filter((field) => field.startsWith(PARAMS) && cell(field) !== '')
    .map((field) => [field.slice(PARAMS.length), toValue(cell(field))] as const)
  return {
    name: cell('name'),
    time: cell('time'),
    user: cell('user'),
    id: toWord(cell('id')),
    session: cell('session'),
    context: Object.fromEntries([...CONTEXT_NAMES.keys()].map((name) => [name, cell(name)])),
    params: Object.fromEntries(params),
    content: cells,
  }
}

/** A number only if it is written like one: `05` and very long numbers stay text. */
function toValue(text: string): string | number | boolean {
  const isNumber = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text)
  return isNumber ? Number(text) : (toFlag(text) ?? text)
}

/** Whether a record continues in the next line because a quotation is open. A quotation mark within a cell opens none. */
export function isOpen(record: string, { delimiter }: Table): boolean {
  if (!record.includes('"')) return false
  try {
    cellsOf(record, delimiter)
    return false
  } catch {
    return true
  }
}

/** The cells of a record, as RFC 4180 has it. Throws `Refusal` if a quotation is not closed. */
function cellsOf(record: string, delimiter: string): string[] {
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"(?!"))?([^${delimiter}]*)(${delimiter}?)`, 'y')
  const cells: string[] = []
  for (;;) {
    const [, quoted, rest = '', end] = cell.exec(record) ?? []
    if (quoted === undefined && rest.startsWith('"')) throw new Refusal('A quotation is not closed')
    cells.push((quoted ?? '').replaceAll('""', '"') + rest)
    if (!end) return cells
  }
}
