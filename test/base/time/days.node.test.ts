import { expect, it } from 'vitest'
import { toIso, utcDayOf, yearsBefore } from '../../../src/base/time/days.ts'

const DAY_MS = 86_400_000

it.each([
  [0, 0],
  [DAY_MS - 1, 0],
  [DAY_MS, 1],
  [-1, -1],
  [-DAY_MS, -1],
  [Date.UTC(2026, 10, 20, 23, 59, 59, 999), 20_777],
  [Date.UTC(2026, 10, 21), 20_778],
])('puts %i on day %i', (time, day) => {
  expect(utcDayOf(time)).toBe(day)
})

it.each([
  ['2026-11-20T10:15:30.123Z', 5, '2021-11-20T10:15:30.123Z'],
  ['2024-02-29T12:00:00.000Z', 1, '2023-03-01T12:00:00.000Z'],
  ['2024-02-29T12:00:00.000Z', 4, '2020-02-29T12:00:00.000Z'],
  ['2026-01-01T00:00:00.000Z', 1, '2025-01-01T00:00:00.000Z'],
])('goes back from %s by %i calendar years', (from, years, to) => {
  expect(toIso(yearsBefore(Date.parse(from), years))).toBe(to)
})
