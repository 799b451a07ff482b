import fc from 'fast-check'
import { it } from 'vitest'
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
