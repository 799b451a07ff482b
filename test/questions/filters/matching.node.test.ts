import { describe, expect, it } from 'vitest'
import type { Operator } from '../../../src/columns/selection/filter.ts'
import { testOf } from '../../../src/columns/selection/matching.ts'

/** Random ones are tried where whole questions are. These are the ones that are easily got wrong. */
const CASES: readonly [value: unknown, operator: Operator, given: string, passes: boolean][] = [
  [undefined, 'is', '(none)', true],
  [undefined, 'is not', '(none)', false],
  [undefined, 'contains', '', false],
  [undefined, 'set is', '(none)', false],
  [undefined, 'set is not', '(none)', true],
  [undefined, 'less', 'z', false],
  ['null', 'is', 'null', true],
  ['null', 'set is', 'null', true],
  ['null', 'is', '(none)', false],
  ['(none)', 'is', '(none)', true],
  ['10', 'greater', '9', true],
  ['1e1', 'greater or equal', '10', true],
  ['05', 'greater', '10', false],
  ['~', 'greater', '10', true],
  ['～', 'less', '😀', true],
  ['', 'contains', '', true],
  ['[1]', 'is', '[1]', true],
]

const OF_PARAMS: typeof CASES = [
  ...CASES,
  [null, 'is', '(none)', true],
  [null, 'set is', 'null', false],
  [5, 'is', '5', true],
  [true, 'is', 'true', true],
  [['a', null], 'set is', '(none)', false],
  [[null], 'set is', '(none)', true],
  [['a', 'a'], 'set is', 'a', true],
  [[5, '5'], 'set is', '5', true],
  [[], 'set is', '', false],
  [[], 'is', '[]', true],
  [{ a: 1 }, 'contains', '"a"', true],
]

describe('a filter on a parameter', () => {
  it.each(OF_PARAMS)('%j %s %j: %j', (value, operator, given, passes) => {
    const test = testOf({ property: { of: 'params', name: 'x' }, operator, values: [given] })
    expect(test(JSON.stringify(value) ?? null)).toBe(passes)
  })
})

describe('a filter on a context', () => {
  it.each(CASES)('%j %s %j: %j', (value, operator, given, passes) => {
    const test = testOf({ property: { of: 'context', name: 'city' }, operator, values: [given] })
    expect(test((value as string | undefined) ?? null)).toBe(passes)
  })
})
