/** One line of the report; what stands beside the figure is its ratio to another figure of the same run. */
export interface Line {
  readonly what: string
  readonly figure: string
  readonly ratio?: string
  readonly target?: string
}

export interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

const COLUMNS = ['what', 'figure', 'ratio', 'target'] as const

export function format(sections: readonly Section[]): string {
  const widths = COLUMNS.map((column) =>
    Math.max(...sections.flatMap(({ lines }) => lines.map((line) => cellOf(line, column).length))),
  )
  return sections
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${formatLine(line, widths)}`)].join('\n'))
    .join('\n\n')
}

function formatLine(line: Line, widths: readonly number[]): string {
  const cells = COLUMNS.map((column, index) => pad(cellOf(line, column), widths[index] ?? 0, column === 'figure'))
  return cells.join('   ').trimEnd()
}

function cellOf(line: Line, column: (typeof COLUMNS)[number]): string {
  const text = line[column] ?? ''
  return column === 'target' && text !== '' ? `target: ${text}` : text
}

function pad(text: string, width: number, toTheRight: boolean): string {
  return toTheRight ? text.padStart(width) : text.padEnd(width)
}

export function perSecond(value: number, unit: string): string {
  return `${Math.round(value).toLocaleString('en')} ${unit}/s`
}

export function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`
}

export function times(value: number): string {
  return `×${value.toFixed(2)}`
}
