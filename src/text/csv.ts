/** Some spreadsheets take a text for UTF-8 only where it begins with this. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Spreadsheets run what begins like this, some of them in wide letters, too. Names come from whoever sends events. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

export type Cell = string | number

/** A table as RFC 4180 has it. A text that a spreadsheet would run gets an apostrophe in front. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(toRecord).join('')
}

/** One row of such a table, with the end of its line. */
export function toRecord(row: readonly Cell[]): string {
  return `${row.map(toCell).join(',')}\r\n`
}

function toCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
