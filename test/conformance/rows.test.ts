import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Rows, SPECIFICATION } from './rows.ts'

const SECTIONS = readSections(readFileSync(join(import.meta.dirname, '../../docs/specification.md'), 'utf8'))

// That the tests it names exist is for `table-reporter.ts` to say.
describe('the table of the specification', () => {
  it('has a test for every row, or the reason why there is nothing to test', () => {
    const unproven = Object.values(SPECIFICATION).flatMap((rows) =>
      Object.entries(rows).filter(([, proof]) => proof.length === 0),
    )
    expect(unproven).toEqual([])
  })

  it('names every row of every table and every item of every list of the specification, and no other', () => {
    expect({
      missing: SECTIONS.flatMap(findMissing),
      surplus: SECTIONS.flatMap(findSurplus),
      sections: Object.keys(SPECIFICATION).filter((name) => !SECTIONS.some(({ heading }) => begins(heading, name))),
    }).toEqual({ missing: [], surplus: [], sections: [] })
  })
})

interface SpecifiedSection {
  readonly heading: string
  /** Rows of tables, their cells divided by ` | `, and items of lists. */
  readonly rows: readonly string[]
  readonly sentences: readonly string[]
}

function readSections(text: string): SpecifiedSection[] {
  return text
    .split(/^#+ /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n').map((line) => line.trim())
      const isRule = (line = '') => /^\|[-| ]+\|$/.test(line)
      // The line above the rule names the columns.
      const content = lines.filter((line, index) => line !== '' && !isRule(line) && !isRule(lines[index + 1]))
      const isRow = (line: string) => /^(\||-|\d+\.) ?/.test(line)
      return { heading, rows: content.filter(isRow).map(toRow), sentences: content.filter((line) => !isRow(line)) }
    })
}

/** Without the marks of lists and tables, the numbers of rows and items, and the spaces that align columns. */
function toRow(line: string): string {
  return line
    .replace(/ +/g, ' ')
    .replace(/^(\| (\d+ \| )?|- |\d+\. )/, '')
    .replace(/ ?\|$/, '')
}

/** A text begins so, and a word or an address ends there. */
function begins(text: string, start: string): boolean {
  return text.startsWith(start) && !/^[\w/]/.test(text.slice(start.length))
}

function rowsOf({ heading }: SpecifiedSection): Rows {
  return Object.entries(SPECIFICATION).find(([name]) => begins(heading, name))?.[1] ?? {}
}

/** Rows of the specification that the table names not at all, or more than once. */
function findMissing(section: SpecifiedSection): string[] {
  const names = Object.keys(rowsOf(section))
  const missing = section.rows.filter((row) => names.filter((name) => begins(row, name)).length !== 1)
  return missing.map((row) => `${section.heading}: ${row}`)
}

/** Names of the table that begin no line of the specification, or more than one. */
function findSurplus(section: SpecifiedSection): string[] {
  const lines = [...section.rows, ...section.sentences]
  const surplus = Object.keys(rowsOf(section)).filter((name) => lines.filter((line) => begins(line, name)).length !== 1)
  return surplus.map((name) => `${section.heading}: ${name}`)
}
