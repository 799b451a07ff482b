import { expect, it } from 'vitest'
import { sessionAt, textOf } from '../../src/client/session.ts'

const START = Date.UTC(2026, 10, 22)
const MINUTE_MS = 60_000
const kept = textOf([START, true], START)

it('a session lasts until there is no event for half an hour', () => {
  expect(sessionAt(null, START)).toEqual([START, false])
  expect(sessionAt(kept, START + 29 * MINUTE_MS)).toEqual([START, true])
  expect(sessionAt(kept, START + 30 * MINUTE_MS)).toEqual([START + 30 * MINUTE_MS, false])
  const later = textOf([START, false], START + 29 * MINUTE_MS)
  expect(sessionAt(later, START + 58 * MINUTE_MS)).toEqual([START, false])
})

it('a session does not last for hours if the clock was set back or the stored one is invalid', () => {
  const before = START - 60 * MINUTE_MS
  expect(sessionAt(kept, before)).toEqual([before, false])
  expect(sessionAt(kept, START - MINUTE_MS)).toEqual([START, true])
  for (const text of ['', 'x', '1 2', '{"a":1}', 'NaN NaN NaN']) expect(sessionAt(text, START)).toEqual([START, false])
})

it('the session is written once a second at most', () => {
  expect(textOf([START, true], START + 999)).toBe(kept)
  expect(textOf([START, true], START + 1000)).not.toBe(kept)
})
