import { expect, it } from 'vitest'
import { toLabelSeries, toNumberSeries, wholePercentChange } from '../../src/reports/series.ts'

it('says of labels how many there are', () => {
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

it('says of figures whether any differs from zero, and how the headline changed', () => {
  const series = toNumberSeries({ name: 'users', data: [3, 0], keyValue: 3, before: 2 })
  expect(series).toMatchObject({ length: 2, key_value: 3, empty: false, change: 50 })
  expect(toNumberSeries({ name: 'users', data: [0, 0], keyValue: 0, before: 2 })).toMatchObject({
    empty: true,
    change: -100,
  })
  expect(toNumberSeries({ name: 'users', data: [], keyValue: 0, before: 0 })).toMatchObject({ empty: true, change: 0 })
})

it.each([
  [0, 0, 0],
  [5, 0, 100],
  [0, 5, -100],
  [401, 400, 0],
  [201, 200, 1],
  [199, 200, -1],
  [4, 3, 33],
])('to %i from %i is %i percent', (now, before, percent) => {
  expect(wholePercentChange(now, before)).toBe(percent)
})
