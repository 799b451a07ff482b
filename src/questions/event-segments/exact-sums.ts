import { type Decimal, decimalOf, digitsAt } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { Tallies } from './tallies.ts'
import { FIRST_NUMERIC, type NumericValue, type NumericValues } from './value-tables.ts'

/** A product of a limb and a number of events, and the sum of those of a slice, are exact as doubles: a slice has at most 2^16 events. */
const LIMB_BITS = 36
const LIMB = 2 ** LIMB_BITS

/** Numbers as multiples of 1 / 10^scale, each the sum of its limbs: the first ones, the second ones times 2^36, and so on. */
interface Limbs {
  readonly scale: number
  readonly limbs: readonly Float64Array[]
}

/** Sums of many cells, exact in whatever order their numbers come. */
export function createExactSums() {
  const digits: bigint[] = []
  const scales: number[] = []
  const limbsOf = perNumbers(toLimbs)
  let lanes = new Float64Array(0)

  function addDigits(cell: number, added: bigint, scale: number): void {
    const known = scales[cell] ?? 0
    const common = Math.max(known, scale)
    const sum = digitsAt({ digits: digits[cell] ?? 0n, scale: known }, common)
    digits[cell] = sum + digitsAt({ digits: added, scale }, common)
    scales[cell] = common
  }

  return {
    /** Adds the numbers of a slice to those of their groups; `firstCell` is the one of group 0. */
    add({ length, groups, ranks, counts }: Tallies, { numbers }: NumericValues, firstCell: number): void {
      const { scale, limbs } = limbsOf(numbers)
      for (const [place, limb] of limbs.entries()) {
        const last = length === 0 ? 0 : (groups[length - 1] as number)
        if (lanes.length <= last) lanes = enlarged(lanes, 2 * (last + 1))
        for (let index = 0; index < length; index++) {
          const rank = ranks[index] as number
          if (rank < FIRST_NUMERIC) continue
          const group = groups[index] as number
          lanes[group] = (lanes[group] as number) + (limb[rank - FIRST_NUMERIC] as number) * (counts[index] as number)
        }
        for (let group = 0; group <= last; group++) {
          const lane = lanes[group] as number
          if (lane === 0) continue
          addDigits(firstCell + group, BigInt(lane) << BigInt(place * LIMB_BITS), scale)
          lanes[group] = 0
        }
      }
    },
    sumOf: (cell: number): Decimal => decimalOf(digits[cell] ?? 0n, scales[cell] ?? 0),
  }
}

/** Remembers what was made of a list as long as it lives. */
function perNumbers<T>(make: (numbers: readonly NumericValue[]) => T): (numbers: readonly NumericValue[]) => T {
  const made = new WeakMap<readonly NumericValue[], { readonly value: T }>()
  return (numbers) => {
    const known = made.get(numbers) ?? { value: make(numbers) }
    made.set(numbers, known)
    return known.value
  }
}

function toLimbs(numbers: readonly NumericValue[]): Limbs {
  const scale = numbers.reduce((most, number) => Math.max(most, number.scale), 0)
  const limbs = [new Float64Array(numbers.length)]
  for (const [index, number] of numbers.entries()) split(digitsAt(number, scale), index, limbs)
  return { scale, limbs }
}

function split(digits: bigint, index: number, limbs: Float64Array[]): void {
  if (digits < LIMB && digits > -LIMB) {
    ;(limbs[0] as Float64Array)[index] = Number(digits)
    return
  }
  const sign = digits < 0n ? -1 : 1
  let rest = digits < 0n ? -digits : digits
  for (let place = 0; rest > 0n; place++) {
    limbs[place] ??= new Float64Array((limbs[0] as Float64Array).length)
    ;(limbs[place] as Float64Array)[index] = sign * Number(BigInt.asUintN(LIMB_BITS, rest))
    rest >>= BigInt(LIMB_BITS)
  }
}
