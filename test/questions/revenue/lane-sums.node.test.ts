import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digitsAt } from '../../../src/base/decimal.ts'
import { LaneSums } from '../../../src/questions/revenue/lane-sums.ts'
import { holds } from '../../support/cases.ts'

const LANES = 3
const SMALLEST_SCALE = 18

/** So many terms of nine digits are one addition here. */
const addition = fc.record({
  scale: fc.constantFrom(-9, 0, 2, 9),
  lane: fc.nat(LANES - 1),
  terms: fc.integer({ min: 1, max: 9_007_199 }),
  digits: fc.constantFrom(999_999_999, -999_999_999, 123_456_789, 1, 0),
})

it('sums of lanes are exact, however many terms they have', () =>
  holds(
    fc.property(fc.array(addition, { maxLength: 12 }), (additions) => {
      const sums = new LaneSums(LANES)
      const expected = new Array<bigint>(LANES).fill(0n)
      for (const { scale, lane, terms, digits } of additions) {
        const open = sums.at(scale, terms)
        open[lane] = (open[lane] as number) + digits * terms
        expected[lane] =
          (expected[lane] as bigint) + BigInt(digits) * BigInt(terms) * 10n ** BigInt(SMALLEST_SCALE - scale)
      }
      return expected.every((sum, lane) => digitsAt(sums.sumOf(lane), SMALLEST_SCALE) === sum)
    }),
    { atLeast: 100, atMost: 10_000 },
  ))

it('charges are added to lanes, and refunds subtracted, in every scale of their amounts', () => {
  const sums = new LaneSums(2)
  const amounts = {
    codes: Uint16Array.of(1, 2, 1),
    groups: [
      { scale: 2, digits: Int32Array.of(0, 250, 5) },
      { scale: -9, digits: Int32Array.of(0, 0, 1) },
    ],
  }
  sums.add(amounts, Uint32Array.of(0, 1, 0))
  sums.add(amounts, Uint32Array.of(0, 1, 0), -1)
  sums.enlarge(3)
  sums.add(amounts, Uint32Array.of(2, 1, 2))
  sums.addTo(0, { digits: 1n, scale: 3 })
  expect([0, 1, 2].map((lane) => sums.sumOf(lane))).toEqual([
    { digits: 1n, scale: 3 },
    { digits: 100000000005n, scale: 2 },
    { digits: 5n, scale: 0 },
  ])
})
