import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { apiKey, baseUrl } from './client.ts'
import { type Rows, SPECIFICATION, type Test } from './rows.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const NAMED: readonly Test[] = Object.values(SPECIFICATION)
  .flatMap((rows) => Object.values(rows))
  .flatMap((proof) => (typeof proof === 'string' ? [] : proof))

describe('the table of the specification', () => {
  it('names tests that exist, as the test runner collects them', async () => {
    const collected = await collectTests()
    expect(collected.size).toBeGreaterThan(500)
    expect([...new Set(NAMED.map(lineOf))].filter((line) => !collected.has(line))).toEqual([])
  })

  it('has a test for every row, or the reason why there is nothing to test', () => {
    const unproven = Object.values(SPECIFICATION).flatMap((rows) =>
      Object.entries(rows).filter(([, proof]) => proof.length === 0),
    )
    expect(unproven).toEqual([])
  })

  it('names every row of every table and every item of every list of the specification, and no other', async ({
    skip,
  }) => {
    const path = process.env.MAUVE_SPECIFICATION
    if (!path)
      return skip('needs MAUVE_SPECIFICATION, the path of the specification, which is no part of this repository')
    const sections = readSections(await readFile(path, 'utf8'))
    expect({
      missing: sections.flatMap(findMissing),
      surplus: sections.flatMap(findSurplus),
      sections: Object.keys(SPECIFICATION).filter((name) => !sections.some(({ heading }) => begins(heading, name))),
    }).toEqual({ missing: [], surplus: [], sections: [] })
  })
})

function lineOf({ file, title }: Test): string {
  return `${file} > ${title}`
}

/** The tests of this folder, as the test runner lists them without running them, against the same service. */
async function collectTests(): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'mauve-tests-'))
  try {
    const file = join(folder, 'tests.json')
    const options = ['--config', 'test/vitest.config.ts', '--project', 'outside', `--json=${file}`]
    await promisify(execFile)(process.execPath, [VITEST, 'list', ...options, 'test/conformance'], {
      cwd: ROOT,
      env: { ...process.env, MAUVE_BASE_URL: baseUrl, MAUVE_API_KEY: apiKey },
    })
    const tests = JSON.parse(await readFile(file, 'utf8')) as { name: string; file: string }[]
    return new Set(tests.map((test) => lineOf({ file: basename(test.file), title: test.name })))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

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

/** Without the marks of lists and tables, and without the numbers of rows and items. */
function toRow(line: string): string {
  return line.replace(/^(\| (\d+ \| )?|- |\d+\. )/, '').replace(/ ?\|$/, '')
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
