import { expect, it } from 'vitest'
import { parseInstant } from '../../../src/base/time/instant.ts'

const AT = Date.UTC(2026, 10, 20, 10, 15, 30)

it.each<[value: unknown, instant: number]>([
  [AT / 1000, AT],
  [AT / 1000 + 0.123, AT + 123],
  [AT, AT],
  [AT + 0.9, AT],
  [0, 0],
  [String(AT / 1000), AT],
  [` ${AT / 1000}\n`, AT],
  [`${AT / 1000}.5`, AT + 500],
  [String(AT + 7), AT + 7],
  ['2026-11-20T10:15:30Z', AT],
  ['2026-11-20t10:15:30z', AT],
  ['2026-11-20 10:15:30', AT],
  ['2026-11-20T10:15:30', AT],
  ['2026-11-20T10:15Z', AT - 30_000],
  ['2026-11-20', Date.UTC(2026, 10, 20)],
  ['2026-11-20T10:15:30.1Z', AT + 100],
  ['2026-11-20T10:15:30,12Z', AT + 120],
  ['2026-11-20T10:15:30.123999999Z', AT + 123],
  ['2026-11-20T10:15:30.123456789012Z', AT + 123],
  ['2026-11-20T12:15:30+02:00', AT],
  ['2026-11-20T12:15:30+0200', AT],
  ['2026-11-20T12:15:30+02', AT],
  ['2026-11-20T09:45:30-00:30', AT],
  ['2026-11-21T00:15:30+14:00', AT],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
])('reads %j', (value, instant) => {
  expect(parseInstant(value)).toBe(instant)
})

it('distinguishes seconds from milliseconds at 10^11', () => {
  expect(parseInstant(99_999_999_999)).toBe(99_999_999_999_000)
  expect(parseInstant(100_000_000_000)).toBe(100_000_000_000)
})

it('keeps every millisecond of fractional seconds', () => {
  const moments = Array.from({ length: 1000 }, (_, millisecond) => AT + millisecond)
  expect(moments.map((moment) => parseInstant(moment / 1000))).toEqual(moments)
  expect(moments.map((moment) => parseInstant(String(moment / 1000)))).toEqual(moments)
})

it.each([
  [undefined],
  [null],
  [true],
  [{}],
  [[AT]],
  [-1],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [''],
  ['-1'],
  ['1e9'],
  ['0x10'],
  ['12345678901234567'],
  ['yesterday'],
  ['2026-02-31'],
  ['2025-02-29'],
  ['2026-13-01'],
  ['2026-00-10'],
  ['2026-11-20T24:00:00Z'],
  ['2026-11-20T10:60:00Z'],
  ['2026-11-20T10:15:60Z'],
  ['2026-11-20T10:15:30+24:00'],
  ['2026-11-20T10:15:30+02:60'],
  ['2026-11-20T10Z'],
  ['20261120'.replace('2026', '2026-')],
  ['2026-11-20T10:15:30.Z'],
  ['Fri, 20 Nov 2026 10:15:30 GMT'],
])('finds no moment in %j', (value) => {
  expect(parseInstant(value)).toBeNull()
})
