import { describe, expect, it } from 'vitest'
import { parseDate, periodFaults, precedingPeriod, resolvePeriod } from '../../src/time/period.ts'

const TODAY = 20_777
const NOW = Date.parse('2026-11-20T12:00:00Z')

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

  it.each([
    [{ start: '20261122', end: '20261121' }, 'after the end'],
    [{ start: '20261121' }, 'after the end'],
    [{ start: '20251119' }, '366 days'],
    [{ start: '20240101', end: '20250101' }, '366 days'],
  ])('cannot be %j, and the start is at fault', (asked: Record<string, string>, problem) => {
    expect(periodFaults(asked, NOW)).toMatchObject([{ loc: ['query', 'start'], type: 'value_error' }])
    expect(periodFaults(asked, NOW)[0]?.msg).toContain(problem)
  })

  it.each<Record<string, string>>([
    {},
    { start: '20251120' },
    { start: '20261120' },
    { start: '20240101', end: '20241231' },
    { start: 'x', end: '20241231' },
    { start: '20261121', end: '20260231' },
  ])('is not at fault with %j', (asked) => {
    expect(periodFaults(asked, NOW)).toEqual([])
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
