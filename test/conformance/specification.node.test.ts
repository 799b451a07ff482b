import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// Titles of tests in this folder cite the specification: `§4` is its operation 4, `§Errors` a section whose heading begins so.

const SPECIFICATION = join(import.meta.dirname, '..', '..', 'docs', 'specification.md')
/** Sections that demand nothing by themselves. */
const NOTHING_TO_TEST = ['What the service does', 'Resources and their fields', 'States and transitions', 'Endpoints']

const headings = [...readFileSync(SPECIFICATION, 'utf8').matchAll(/^###? (?:(\d+)\. )?(.*)$/gm)]
  .map(([, number, title]) => number ?? title ?? '')
  .filter((heading) => !NOTHING_TO_TEST.includes(heading))

/** The sections that titles in files with such names cite. */
function citationsIn(files: RegExp): string[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => files.test(name))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/\((§[^)]*)\)['"]/g)])
    .flatMap(([, cited = '']) => cited.split(', ').map((section) => section.slice(1)))
}

const isCitedBy = (heading: string) => (citation: string) =>
  /^\d+$/.test(citation) ? heading === citation : heading.startsWith(citation)

it('every section of the specification is cited by a test that npm test runs', () => {
  const citations = citationsIn(/\.outside\.test\.ts$/)
  expect(headings.length).toBeGreaterThan(20)
  expect(headings.filter((heading) => !citations.some(isCitedBy(heading)))).toEqual([])
})

it('tests cite sections that exist', () => {
  const citations = citationsIn(/\.test\.ts$/)
  expect(citations.filter((citation) => !headings.some((heading) => isCitedBy(heading)(citation)))).toEqual([])
})
