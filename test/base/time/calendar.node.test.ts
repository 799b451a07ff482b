import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarOf, dayFinder, isSameZone, spanOf, toTimeZone, UTC } from '../../../src/base/time/calendar.ts'
import { toDate } from '../../../src/base/time/days.ts'
import { parseDate } from '../../../src/base/time/period.ts'
import { dayIn, localMidnight, SPECIAL_DATES, ZONES } from '../../support/zones.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

function dayNamed(date: string): number {
  return parseDate(date.replaceAll('-', '')) as number
}

const changes = Object.entries(SPECIAL_DATES).flatMap(([zone, dates]) => dates.map((date) => [zone, date] as const))

describe.each(changes)('in %s around %s', (zone, date) => {
  const day = dayNamed(date)
  const calendar = calendarOf(zone)
  const minutes = Array.from({ length: 5 * 1440 }, (_, minute) => (day - 2) * DAY_MS + minute * MINUTE_MS)

  it('each minute is on the day that the runtime names', () => {
    const wrong = minutes.filter((time) => calendar.dayOf(time) !== dayIn(time, zone))
    expect(wrong.map((time) => new Date(time).toISOString())).toEqual([])
  })

  it('a day begins with the first minute whose date is that day or a later one, to the millisecond', () => {
    for (const one of [day - 1, day, day + 1]) {
      const first = minutes.find((time) => dayIn(time, zone) >= one) as number
      expect(new Date(calendar.startOf(one)).toISOString()).toBe(new Date(first).toISOString())
      expect(calendar.dayOf(first - 1)).toBeLessThan(one)
      expect(calendar.dayOf(first)).toBeGreaterThanOrEqual(one)
    }
  })

  it('days are found as fast in a period, and as right', () => {
    const period = { from: day - 3, to: day + 3 }
    const dayIn = dayFinder(calendar, period)
    const within = minutes.filter((time) => time >= calendar.startOf(period.from))
    expect(within.filter((time) => dayIn(time) + period.from !== calendar.dayOf(time))).toEqual([])
    expect(dayIn(calendar.startOf(period.to + 1) - 1)).toBe(6)
  })
})

it.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z', 24],
  // Clocks went from 23:59:59 to 01:00, and back from midnight to 23:00.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
  ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00.000Z', 25],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 24],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
  // Two midnights, an hour apart: clocks went back from 00:01 to 23:01.
  ['America/St_Johns', '2006-10-29', '2006-10-29T02:30:00.000Z', 25],
  ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z', 24],
])('in %s, %s begins at %s and has %d hours', (zone, date, begins, hours) => {
  const day = dayNamed(date)
  const { from, to } = spanOf(calendarOf(zone), { from: day, to: day })
  expect(new Date(from).toISOString()).toBe(begins)
  expect((to - from) / (60 * MINUTE_MS)).toBe(hours)
})

it('an instant between two midnights of one date belongs to the day that began with the first', () => {
  const { dayOf, startOf } = calendarOf('America/St_Johns')
  const day = dayNamed('2006-10-29')
  expect(dayIn(startOf(day) + 2 * MINUTE_MS, 'America/St_Johns')).toBe(day - 1)
  expect(dayOf(startOf(day) + 2 * MINUTE_MS)).toBe(day)
})

it('a moment of any year is on the date that the runtime names, and days follow each other without gaps', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(2040, 0, 1) })
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), moment, (zone, time) => {
      const { dayOf, startOf } = calendarOf(zone)
      const day = dayOf(time)
      expect(toDate(day)).toBe(toDate(dayIn(time, zone)))
      expect(startOf(day)).toBe(localMidnight(day, zone))
      expect(startOf(day)).toBeLessThanOrEqual(time)
      expect(startOf(day + 1)).toBeGreaterThan(time)
    }),
    { numRuns: 2_000 },
  )
})

it.each(ZONES)('limits such as "all time" have days in %s', (zone) => {
  const { dayOf, startOf } = calendarOf(zone)
  expect(dayOf(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
  expect(startOf(Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY)
  expect(dayOf(startOf(2_932_896))).toBe(2_932_896)
  expect(startOf(-(2 ** 30))).toBeLessThan(0)
})

it('a calendar is made once, and that of UTC is plain arithmetic', () => {
  expect(calendarOf('Europe/Berlin')).toBe(calendarOf('Europe/Berlin'))
  expect(calendarOf()).toBe(UTC)
  expect(calendarOf('UTC')).toBe(UTC)
})

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['Etc/GMT-3', 'Etc/GMT-3'],
  ['+03:00', null],
  ['Mars/Base', null],
  ['IST', null],
  ['SystemV/PST8', null],
  ['EST', 'EST'],
  ['', null],
])('"%s" is stored as %s', (name, stored) => {
  expect(toTimeZone(name)).toBe(stored)
})

it('one zone may have several names', () => {
  expect(isSameZone('Asia/Kolkata', 'Asia/Calcutta')).toBe(true)
  expect(isSameZone('UTC', 'Etc/UTC')).toBe(true)
  expect(isSameZone('UTC', 'Etc/GMT-3')).toBe(false)
})
