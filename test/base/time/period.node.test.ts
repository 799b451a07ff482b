import { describe, expect, it } from 'vitest'
import { parseDate, precedingPeriod, resolvePeriod } from '../../../src/base/time/period.ts'

const TODAY = 20_777

describe('a period', () => {
  it.each([
    [{}, { from: TODAY - 29, to: TODAY }],
    [{ end: 100 }, { from: 71, to: 100 }],
    [
      { start: 100, end: 100 },
      { from: 100, to: 100 },
    ],
    [{ start: TODAY - 365 }, { from: TODAY - 365, to: TODAY }],
  ])('asked for as %j is %j', (asked, period) => {
    expect(resolvePeriod(asked, TODAY)).toEqual(period)
  })

  it('comes after one of equal length', () => {
    expect(precedingPeriod({ from: 10, to: 12 })).toEqual({ from: 7, to: 9 })
  })
})

it.each([
  ['19700101', 0],
  ['20240229', 19_782],
  ['20261120', 20_777],
])('%s is day %i', (text, day) => {
  expect(parseDate(text)).toBe(day)
})

it.each(['20230229', '20260231', '20261301', '20260100', '2026-11-20', '202611', '2026112', ' 20261120', ''])(
  '%j is no day',
  (text) => {
    expect(parseDate(text)).toBeNull()
  },
)
