import { expect } from 'vitest'

const DAY_MS = 86_400_000

export const aCount = expect.toSatisfy((value) => Number.isSafeInteger(value) && value >= 0, 'a count')

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Expects the last `count` days (`YYYY-MM-DD`), oldest first, ending today. */
export function expectLastDays(dates: readonly string[], count: number): void {
  const today = Date.parse(`${dates.at(-1)}T00:00:00Z`)
  const expected = Array.from({ length: count }, (_, index) => dateOf(today - (count - 1 - index) * DAY_MS))
  expect(dates).toEqual(expected)
  // A new day may have begun since the answer was given.
  expect([dateOf(Date.now()), dateOf(Date.now() - 60_000)]).toContain(dates.at(-1))
}

/** The answer is JSON, and its header says up to which moment every event is counted. */
export function expectFigures(response: Response): void {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const asOf = response.headers.get('figures-as-of') ?? ''
  expect(asOf).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  expect(Date.parse(asOf)).toBeLessThan(Date.now() + 60_000)
}
