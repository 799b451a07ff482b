import { expect, it } from 'vitest'
import { firstDayOf, type Interval, intervalOf } from '../../../src/base/time/intervals.ts'

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000
}

it.each<[date: string, interval: Interval, first: string]>([
  ['2026-11-22', 'week', '2026-11-16'], // Sunday
  ['2026-11-23', 'week', '2026-11-23'], // Monday
  ['2027-01-03', 'week', '2026-12-28'], // Sunday of week 53
  ['2024-12-30', 'week', '2024-12-30'], // Monday of week 1 of 2025
  ['2025-01-01', 'week', '2024-12-30'],
  ['1970-01-01', 'week', '1969-12-29'],
  ['1969-12-28', 'week', '1969-12-22'],
  ['2024-02-29', 'month', '2024-02-01'],
  ['2026-12-31', 'month', '2026-12-01'],
  ['1970-01-31', 'month', '1970-01-01'],
  ['1969-12-31', 'month', '1969-12-01'],
  ['9999-12-31', 'month', '9999-12-01'],
  ['2024-02-29', 'day', '2024-02-29'],
])('%s is in the %s from %s on', (date, interval, first) => {
  const begins = firstDayOf(intervalOf(dayOf(date), interval), interval)
  expect(new Date(begins * 86_400_000).toISOString().slice(0, 10)).toBe(first)
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
