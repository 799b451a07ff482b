/** A row of a table for people: its columns by their names, the same in every row. */
export type Row = Readonly<Record<string, unknown>>

/** Columns that are wider than most terminals come last, where they push nothing aside: the caller orders them. */
export function toTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names.map(toHeading), ...rows.map((row) => names.map((name) => toCell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0)
  return lines.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n')
}

/** `projectId` is shown as `PROJECT ID`. */
function toHeading(name: string): string {
  return name.replaceAll(/[A-Z]/g, ' $&').toUpperCase()
}

/** What would end a line, move the cursor or turn the text around. */
const NOT_FOR_TERMINALS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** One line, whatever is in it: names come from whoever registers an application. */
export function toCell(value: unknown): string {
  return value === null || value === undefined ? '-' : String(value).replaceAll(NOT_FOR_TERMINALS, ' ')
}
