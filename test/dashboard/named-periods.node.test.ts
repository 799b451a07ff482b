import { describe, expect, it } from 'vitest'
import { readView } from '../../src/dashboard/request/address.ts'
import { DAY_MS } from '../support/event-history.ts'

const toDay = (date: string) => Date.parse(date) / DAY_MS
const toDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)

function daysOf(period: string, today: string): readonly string[] {
  const view = readView(new URL(`https://x.invalid/?period=${period}`), toDay(today))
  expect(view.periodName).toBe(period)
  return view.period ? [toDate(view.period.from), toDate(view.period.to)] : []
}

describe('a named period', () => {
  it.each([
    // A Monday, a Sunday, the first day of a year, and the day after a leap day.
    ['today', '2026-11-23', '2026-11-23', '2026-11-23'],
    ['yesterday', '2027-01-01', '2026-12-31', '2026-12-31'],
    ['7d', '2028-03-01', '2028-02-24', '2028-03-01'],
    ['last-week', '2026-11-23', '2026-11-16', '2026-11-22'],
    ['last-week', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['last-week', '2027-01-01', '2026-12-21', '2026-12-27'],
    ['month', '2028-03-01', '2028-03-01', '2028-03-01'],
    ['month', '2026-11-23', '2026-11-01', '2026-11-23'],
    ['last-month', '2027-01-01', '2026-12-01', '2026-12-31'],
    ['last-month', '2028-03-01', '2028-02-01', '2028-02-29'],
  ])('%s on %s is %s to %s', (period, today, from, to) => {
    expect(daysOf(period, today)).toEqual([from, to])
  })
})

it('an unknown name means 30 days, like a missing one', () => {
  for (const query of ['', '?period=week']) {
    const { periodName, period } = readView(new URL(`https://x.invalid/${query}`), toDay('2026-11-23'))
    expect([periodName, period?.from, period?.to]).toEqual(['30d', toDay('2026-10-25'), toDay('2026-11-23')])
  }
})
