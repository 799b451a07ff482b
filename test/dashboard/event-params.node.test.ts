import { expect, it } from 'vitest'
import { lineOf, start, textsOf } from '../../src/dashboard/figures/event-params.ts'

it('parameters are texts, in a line', () => {
  const params = textsOf({ currency: 'TON', items: [1, { a: null }], paid: true })
  expect(lineOf(params)).toBe('currency: TON, items: [1,{"a":null}], paid: true')
  expect(lineOf(textsOf({}))).toBe('')
})

it('parameters that do not fit are left out, and the table says so', () => {
  const { shown, isCut } = textsOf({ first: 'x'.repeat(3_000), second: 'y'.repeat(3_000), third: 'z' })
  expect([shown.map(([name]) => name), isCut]).toEqual([['first', 'second'], true])
  expect(lineOf({ shown, isCut })).toMatch(/^first: x{3000}, second: y+…$/)
  expect(textsOf({ whole: 'x'.repeat(3_000) }).isCut).toBe(false)
})

it('no character is cut in two', () => {
  expect([start('ab😀', 3), start('ab😀', 4), start('ab😀c', 5)]).toEqual(['ab', 'ab😀', 'ab😀c'])
})
