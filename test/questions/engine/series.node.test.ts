import { describe, expect, it } from 'vitest'
import { meanOf, rounded, wholePercentChange } from '../../../src/questions/engine/change.ts'
import { countOf, toLabelSeries, toNumberSeries } from '../../../src/questions/engine/series.ts'

it('counts labels in the headline', () => {
  expect(toLabelSeries({ name: 'date', data: ['a', 'b'], keyValue: 7 })).toEqual({
    name: 'date',
    data_type: 'time_series',
    data: ['a', 'b'],
    length: 2,
    key_value: 7,
    empty: false,
  })
  expect(toLabelSeries({ name: 'date', data: [], keyValue: 0 }).empty).toBe(true)
})

it('reports whether any figure differs from zero, and how the headline changed', () => {
  const series = toNumberSeries({ name: 'users', data: [3, 0], headline: countOf(3), before: countOf(2) })
  expect(series).toMatchObject({ length: 2, key_value: 3, empty: false, change: 50 })
  expect(toNumberSeries({ name: 'users', data: [0, 0], headline: countOf(0), before: countOf(2) })).toMatchObject({
    empty: true,
    change: -100,
  })
  expect(toNumberSeries({ name: 'users', data: [], headline: countOf(0), before: countOf(0) })).toMatchObject({
    empty: true,
    change: 0,
  })
})

it.each([
  [0, 0, 0],
  [5, 0, 100],
  [0, 5, -100],
  [401, 400, 0],
  [201, 200, 1],
  [199, 200, -1],
  [4, 3, 33],
  [63, 40, 58], // 57.5 exactly; 57.49999… in floating point
  [17, 40, -58],
])('a change to %i from %i is %i percent', (now, before, percent) => {
  expect(wholePercentChange(countOf(now), countOf(before))).toBe(percent)
})

it.each([
  [{ part: 7, whole: 3 }, { part: 7, whole: 3 }, 0],
  [{ part: 9, whole: 8 }, { part: 1, whole: 1 }, 13], // 12.5
  [{ part: 7, whole: 8 }, { part: 1, whole: 1 }, -13],
  [{ part: 1, whole: 3 }, { part: 0, whole: 0 }, 100],
  [{ part: 0, whole: 0 }, { part: 1, whole: 3 }, -100],
  [{ part: 0, whole: 7 }, { part: 0, whole: 0 }, 0],
])('a change to %o from %o is %i percent', (now, before, percent) => {
  expect(wholePercentChange(now, before)).toBe(percent)
})

it.each([
  [{ part: 0, whole: 0 }, 0],
  [{ part: 5, whole: 2 }, 3],
  [{ part: 24, whole: 10 }, 2],
])('rounds %o to %i', (fraction, whole) => {
  expect(rounded(fraction)).toBe(whole)
})

describe('a mean', () => {
  const halves = new Array(6).fill({ part: 1, whole: 2 })

  it('is exact for fractions that doubles cannot represent', () => {
    const mean = meanOf([...new Array(3).fill({ part: 1, whole: 3 }), ...halves])
    expect(mean.part * 9n).toBe(mean.whole * 4n)
    expect(meanOf([{ part: 2 ** 53 - 1, whole: 7 }, ...halves]).whole).toBe(7n * 2n ** 6n * 7n)
  })

  it('counts 0 / 0 as 0, and is 0 without figures', () => {
    expect(
      rounded(
        meanOf([
          { part: 0, whole: 0 },
          { part: 3, whole: 1 },
        ]),
      ),
    ).toBe(2) // 1.5
    expect(rounded(meanOf([]))).toBe(0)
  })

  it('is rounded and compared exactly, not as a double', () => {
    // 62.5 exactly; 62.49999… in floating point.
    const daily = [
      [1, 2],
      [1, 1],
      [5, 6],
      [1, 6],
    ].map(([part = 0, whole = 1]) => ({ part: 100 * part, whole }))
    expect(rounded(meanOf(daily))).toBe(63)
    expect(wholePercentChange(meanOf(daily), countOf(100))).toBe(-38)
    expect(wholePercentChange(meanOf([]), countOf(1))).toBe(-100)
    expect(wholePercentChange(countOf(1), meanOf([]))).toBe(100)
  })
})
