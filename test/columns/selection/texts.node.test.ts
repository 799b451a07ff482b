import { expect, it } from 'vitest'
import type { Values } from '../../../src/columns/columns.ts'
import { textReader } from '../../../src/columns/selection/texts.ts'

function valuesOf(count: number) {
  const lookups: number[] = []
  const values: Values = {
    count,
    textOf(code) {
      lookups.push(code)
      return `text ${code}`
    },
    codeOf: (text) => Number(text.slice('text '.length)),
    *entries() {
      for (let code = 1; code <= count; code++) yield [code, `text ${code}`]
    },
  }
  return { values, lookups }
}

it.each([
  ['few texts', 200],
  ['more texts than memory is for', 40_000],
])('reads %s, and not one by one where many are asked for', (_, count) => {
  const { values, lookups } = valuesOf(count)
  const readText = textReader(values)
  for (let code = 1; code <= count; code++) expect(readText(code)).toBe(`text ${code}`)
  expect(lookups.length).toBeLessThan(100)
  for (const code of [count, 3, 3, 70, count]) expect(readText(code)).toBe(`text ${code}`)
})
