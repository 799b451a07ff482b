import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextDigestAt, nextDue } from '../../src/notifications/moments.ts'
import { holds } from '../support/cases.ts'

const HOUR_MS = 3_600_000
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Santiago',
  'Pacific/Apia',
]

function at(rule: { every?: 'daily' | 'weekly'; hour: number; time_zone: string }, now: string): string {
  return new Date(nextDigestAt({ every: 'daily', questions: [], ...rule }, Date.parse(now))).toISOString()
}

describe('the hour of a digest', () => {
  it.each([
    // Clocks in Berlin go from 2 to 3 on 29 March 2026, and from 3 back to 2 on 25 October.
    [{ hour: 9, time_zone: 'Europe/Berlin' }, '2026-03-28T08:00:00Z', '2026-03-29T07:00:00.000Z'],
    [{ hour: 9, time_zone: 'Europe/Berlin' }, '2026-10-24T07:00:00Z', '2026-10-25T08:00:00.000Z'],
    [{ hour: 2, time_zone: 'Europe/Berlin' }, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    [{ hour: 2, time_zone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', '2026-10-25T00:00:00.000Z'],
    [{ hour: 2, time_zone: 'Europe/Berlin' }, '2026-10-25T00:00:00Z', '2026-10-26T01:00:00.000Z'],
    [{ hour: 0, time_zone: 'Asia/Kolkata' }, '2026-11-20T18:29:59Z', '2026-11-20T18:30:00.000Z'],
    [{ every: 'weekly' as const, hour: 9, time_zone: 'UTC' }, '2026-11-23T09:00:00Z', '2026-11-30T09:00:00.000Z'],
    [{ every: 'weekly' as const, hour: 9, time_zone: 'UTC' }, '2026-11-23T08:59:00Z', '2026-11-23T09:00:00.000Z'],
  ])('%o after %s', (rule, now, expected) => {
    expect(at(rule, now)).toBe(expected)
  })

  it('is when local clocks show the hour, once a day, even if clocks are changed', () =>
    holds(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 0) }),
        (timeZone, hour, now) => {
          const clock = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
          const rule = { every: 'daily' as const, hour, time_zone: timeZone, questions: [] }
          const next = nextDigestAt(rule, now)
          expect(next).toBeGreaterThan(now)
          const shown = Number(clock.format(next))
          expect([hour, hour + 1]).toContain(shown)
          const following = nextDigestAt(rule, next)
          expect((following - next) / HOUR_MS).toBeGreaterThanOrEqual(23)
          expect((following - next) / HOUR_MS).toBeLessThanOrEqual(25)
        },
      ),
      { atLeast: 20, atMost: 5_000 },
    ))
})

it('alerts about reports are due every hour, other alerts with every run of cron', () => {
  const now = Date.UTC(2026, 10, 23, 9, 5)
  expect(nextDue({ type: 'above', question: 'A', value: 1 }, now) - now).toBe(59 * 60_000)
  expect(nextDue({ type: 'quota' }, now) - now).toBeLessThan(5 * 60_000)
})
