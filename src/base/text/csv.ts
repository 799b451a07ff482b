/** Some spreadsheets recognize UTF-8 only with this at the start. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Spreadsheets run cells that begin like this, some also with full-width characters. Names come from untrusted senders. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

export type Cell = string | number

/** A table as in RFC 4180. A text that a spreadsheet would run gets a leading apostrophe. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(toRecord).join('')
}

/** One row of such a table, including the line break. */
export function toRecord(row: readonly Cell[]): string {
  return `${row.map(toCell).join(',')}\r\n`
}

function toCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
