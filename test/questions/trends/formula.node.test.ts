import { describe, expect, it } from 'vitest'
import { parseFormula } from '../../../src/questions/trends/formula.ts'

const FIGURES = [10, 4, 0, null, 1e308, 2]

describe('a formula', () => {
  it.each([
    ['A', 10],
    [' A + B*2 ', 18],
    ['(A+B)*2', 28],
    ['A-B-1', 5],
    ['A/B/2', 1.25],
    ['A-(B-1)', 7],
    ['-A', -10],
    ['--A', 10],
    ['A*-B', -40],
    ['-(A+B)/2', -7],
    ['B/A*100', 40],
    ['0.5*A', 5],
    ['A/C', null],
    ['C/C', null],
    ['A/(B/C)', null],
    ['0*D', null],
    ['A+D', null],
    ['E*E', null],
    ['-C', 0],
    ['1/3', 1 / 3],
  ])('%s is %s', (text, figure) => expect(parseFormula(text).evaluate(FIGURES)).toBe(figure))

  it.each([
    ['', 'the end is unexpected'],
    ['A+', 'the end is unexpected'],
    ['A B', "'B' is unexpected"],
    ['(A', "')' is missing"],
    ['A)', "')' is unexpected"],
    ['G', "'G' is unexpected"],
    ['a', "'a' is unexpected"],
    ['1.', "'.' is unexpected"],
    ['A**B', "'*' is unexpected"],
    ['+A', "'+' is unexpected"],
    ['A%2', "'%' is unexpected"],
    ['A😀', "'😀' is unexpected"],
    ['constructor', "'c' is unexpected"],
  ])('cannot be %j: %s', (text, message) => expect(() => parseFormula(text)).toThrow(new SyntaxError(message)))

  it('reports how many letters it needs', () => {
    for (const [text, letters] of [
      ['1', 0],
      ['A', 1],
      ['F/A', 6],
      ['(B+A)*B', 2],
    ] as const) {
      expect(parseFormula(text).letters).toBe(letters)
    }
  })

  it('may be nested as deeply as its length allows', () => {
    expect(parseFormula(`${'('.repeat(99)}A${')'.repeat(99)}`).evaluate([3])).toBe(3)
    expect(parseFormula(`${'-'.repeat(199)}A`).evaluate([3])).toBe(-3)
  })
})
