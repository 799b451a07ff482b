import { expect, it } from 'vitest'
import { findLongText, isDeeper, toParams } from '../../src/collection/params.ts'

it.each([[null], [undefined], ['text'], [5], [[1, 2]], [{}]])('finds no parameters in %j', (value) => {
  expect(toParams(value)).toBeNull()
})

it.each([
  [{ amount: 250.5, item: 'lemon', tags: ['a', null, true], nested: { deep: [] } }],
  [{ '': 1, 'a.b': 2, '"': '\\' }],
  [JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')],
])('keeps %j as it is', (value) => {
  expect(toParams(value)).toBe(JSON.stringify(value))
})

it('replaces what a database cannot hold', () => {
  expect(toParams({ 'a\0': '\0b', c: '\ud83c' })).toBe('{"a\ufffd":"\ufffdb","c":"\ufffd"}')
})

it('cuts long texts and keys', () => {
  expect(toParams({ a: ['🍋'.repeat(1025)] })).toBe(JSON.stringify({ a: ['🍋'.repeat(1024)] }))
  expect(toParams({ ['k'.repeat(256)]: 1 })).toBe(JSON.stringify({ ['k'.repeat(255)]: 1 }))
})

it('keeps the first properties that fit into 16 KiB', () => {
  const exact = { a: numbers(8185), b: 11 }
  expect(Buffer.byteLength(JSON.stringify(exact))).toBe(16_384)
  expect(toParams(exact)).toBe(JSON.stringify(exact))
  expect(toParams({ ...exact, b: 111 })).toBe(JSON.stringify({ a: exact.a }))
  expect(toParams({ big: numbers(10_000), small: 1 })).toBeNull()
})

/** JSON of twice as many bytes and one more. */
function numbers(count: number): number[] {
  return Array(count).fill(1)
}

it('counts levels, and looks no deeper than asked', () => {
  expect([isDeeper(1, 0), isDeeper({}, 0), isDeeper({}, 1)]).toEqual([false, true, false])
  expect([isDeeper({ a: [[]] }, 2), isDeeper({ a: [[]] }, 3)]).toEqual([true, false])
  const endless: unknown[] = []
  endless.push(endless)
  expect(isDeeper(endless, 100)).toBe(true)
})

it('points at the first text that is too long', () => {
  const long = 'x'.repeat(1025)
  expect(findLongText({ a: 'x'.repeat(1024), b: { c: [1, '🍋'.repeat(1024)] } })).toBeNull()
  expect(findLongText({ a: 'x', b: { c: [1, long] }, d: long })).toEqual(['b', 'c', 1])
  expect(findLongText({ ['k'.repeat(256)]: 1 })).toEqual(['k'.repeat(256)])
})
