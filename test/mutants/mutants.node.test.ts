import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MUTANTS } from './mutants.ts'
import { patch } from './patch.ts'

const root = new URL('../..', import.meta.url).pathname

it('mutants have a name and a promise each of their own', () => {
  for (const field of ['name', 'promise'] as const) {
    expect(new Set(MUTANTS.map((mutant) => mutant[field])).size, field).toBe(MUTANTS.length)
  }
  expect(MUTANTS.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([])
})

it.each(MUTANTS)('$name still has code to break, and tests that should notice', (mutant) => {
  const { before, after } = patch(mutant, root)
  expect(after).not.toBe(before)
  const { test, title = '' } = mutant
  expect(existsSync(root + test) && readFileSync(root + test, 'utf8')).toContain(title)
})
