import { expect, it } from 'vitest'
import { cut, toBoolean, toContextText, toName, toText } from '../../../src/base/text/text.ts'

it.each<[value: unknown, text: string | null]>([
  ['en', 'en'],
  [' en ', ' en '],
  ['', null],
  ['   ', null],
  ['\u0000', null],
  ['N/A', null],
  [' N/A ', null],
  ['n/a', 'n/a'],
  ['a\u0000b\tc\u007f', 'a b c '],
  ['half \ud83c', 'half \ufffd'],
  [-5_213_456_789, '-5213456789'],
  [0, '0'],
  [Number.NaN, null],
  [true, null],
  [null, null],
  [undefined, null],
  [{}, null],
  [['en'], null],
])('reads the text of %j', (value, text) => {
  expect(toText(value)).toBe(text)
})

it.each<[value: unknown, name: string]>([
  ['Session start', 'Session start'],
  ['', '(unnamed)'],
  [' \n\u0000', '(unnamed)'],
  [null, '(unnamed)'],
  [undefined, '(unnamed)'],
  [5, '(unnamed)'],
  ['N/A', 'N/A'],
  ['Купить 🍋', 'Купить 🍋'],
])('reads the name %j', (value, name) => {
  expect(toName(value)).toBe(name)
})

it('cuts after a number of characters, never inside one', () => {
  expect(toText('x'.repeat(1024))).toHaveLength(1024)
  expect(toText('x'.repeat(1025))).toBe('x'.repeat(1024))
  expect(toContextText('🍋'.repeat(129))).toBe('🍋'.repeat(128))
  expect(toName('🍋'.repeat(256))).toBe('🍋'.repeat(255))
  expect(cut('🍋🍋', 1)).toBe('🍋')
  expect(cut('🍋', 1)).toBe('🍋')
})

it('takes booleans only for booleans', () => {
  expect([true, false, 'true', 1, 0, null].map(toBoolean)).toEqual([true, false, null, null, null, null])
})
