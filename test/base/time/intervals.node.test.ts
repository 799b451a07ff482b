import { describe, expect, it } from 'vitest'
import { firstDayOf, type Interval, intervalOf } from '../../../src/base/time/intervals.ts'

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000
}

function beginOf(date: string, interval: Interval): string {
  const first = firstDayOf(intervalOf(dayOf(date), interval), interval)
  return new Date(first * 86_400_000).toISOString().slice(0, 10)
}

describe('a week begins on Monday', () => {
  it.each([
    ['2026-11-22', '2026-11-16'], // Sunday
    ['2026-11-23', '2026-11-23'], // Monday
    ['2027-01-03', '2026-12-28'], // Sunday of week 53
    ['2027-01-04', '2027-01-04'],
    ['2024-12-30', '2024-12-30'], // Monday of week 1 of 2025
    ['2025-01-01', '2024-12-30'],
    ['2024-02-29', '2024-02-26'],
    ['1970-01-01', '1969-12-29'],
    ['1970-01-05', '1970-01-05'],
    ['1969-12-28', '1969-12-22'],
  ])('%s lies in that of %s', (date, monday) => {
    expect(beginOf(date, 'week')).toBe(monday)
  })
})

describe('a month begins on its first day', () => {
  it.each([
    ['2024-02-29', '2024-02-01'],
    ['2024-03-01', '2024-03-01'],
    ['2023-02-28', '2023-02-01'],
    ['2026-12-31', '2026-12-01'],
    ['2027-01-01', '2027-01-01'],
    ['2000-02-29', '2000-02-01'],
    ['1970-01-31', '1970-01-01'],
    ['1969-12-31', '1969-12-01'],
    ['9999-12-31', '9999-12-01'],
  ])('%s lies in that of %s', (date, first) => {
    expect(beginOf(date, 'month')).toBe(first)
  })
})

it('a day is its own interval', () => {
  expect(beginOf('2024-02-29', 'day')).toBe('2024-02-29')
})

it.each(['day', 'week', 'month'] as const)(
  'every day of seven hundred years lies in a %s, which follow without gaps',
  (interval) => {
    let number = intervalOf(dayOf('1899-12-31'), interval)
    const wrong: number[] = []
    for (let day = dayOf('1900-01-01'); day < dayOf('2600-01-01'); day++) {
      const begins = firstDayOf(number + 1, interval) === day
      if (begins) number++
      if (intervalOf(day, interval) !== number) wrong.push(day)
    }
    expect(wrong).toEqual([])
  },
)
