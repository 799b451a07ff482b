import { add, type Decimal, decimalOf, digitsAt, ZERO } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { ChargeAmounts } from './amount-tables.ts'

/** The most terms of nine digits whose sum is exact as a double, in any order. */
const MOST_TERMS = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** 9)

interface OpenLanes {
  sums: Float64Array
  terms: number
}

/**
 * Exact sums of charges in major units, by lane: a lane is what is added up together, numbered from 0. The terms of a lane are added up
 * as doubles, per scale, as there are very many.
 */
export class LaneSums {
  #lanes: number
  readonly #open = new Map<number, OpenLanes>()
  readonly #closed = new Map<number, Decimal>()

  constructor(lanes: number) {
    this.#lanes = lanes
  }

  /** Makes room for more lanes. */
  enlarge(lanes: number): void {
    this.#lanes = lanes
  }

  /** Adds charges to their lanes, or subtracts them. Lanes are numbered from `first`. */
  add({ codes, groups }: ChargeAmounts, lanes: Uint32Array, sign: 1 | -1 = 1, first = 0): void {
    for (const { scale, digits } of groups) {
      const sums = this.at(scale, codes.length)
      for (let at = 0; at < codes.length; at++) {
        const lane = first + (lanes[at] as number)
        sums[lane] = (sums[lane] as number) + sign * (digits[codes[at] as number] as number)
      }
    }
  }

  /** Adds an amount to a lane, at the finer scale of both: scales differ between segments. */
  addTo(lane: number, amount: Decimal): void {
    const known = this.#closed.get(lane) ?? ZERO
    const scale = Math.max(known.scale, amount.scale)
    this.#closed.set(lane, { digits: digitsAt(known, scale) + digitsAt(amount, scale), scale })
  }

  /** Sums by lane, for at most `terms` more terms of nine digits, in units of 1 / 10^`scale` (maybe negative). */
  at(scale: number, terms: number): Float64Array {
    const known = this.#open.get(scale)
    if (known && known.terms + terms > MOST_TERMS) this.#close(scale, known)
    const open = this.#open.get(scale) ?? { sums: new Float64Array(this.#lanes), terms: 0 }
    if (open.sums.length < this.#lanes) open.sums = enlarged(open.sums, this.#lanes)
    open.terms += terms
    this.#open.set(scale, open)
    return open.sums
  }

  /** The lanes whose sums may differ from 0. */
  lanes(): Iterable<number> {
    this.#closeAll()
    return this.#closed.keys()
  }

  sumOf(lane: number): Decimal {
    this.#closeAll()
    const { digits, scale } = this.#closed.get(lane) ?? ZERO
    return decimalOf(digits, scale)
  }

  #closeAll(): void {
    for (const [scale, open] of this.#open) this.#close(scale, open)
  }

  #close(scale: number, { sums }: OpenLanes): void {
    for (let lane = 0; lane < sums.length; lane++) {
      const sum = sums[lane] as number
      if (sum !== 0) this.addTo(lane, toDecimal(sum, scale))
    }
    this.#open.delete(scale)
  }
}

/** The exact sum of the charges of a segment, which has fewer than 2^16 events. */
export function sumOfCharges({ codes, groups }: ChargeAmounts): Decimal {
  return groups.map(({ scale, digits }) => toDecimal(addUpDigits(codes, digits), scale)).reduce(add, ZERO)
}

function addUpDigits(codes: Uint16Array, digits: Int32Array): number {
  let sum = 0
  for (let at = 0; at < codes.length; at++) sum += digits[codes[at] as number] as number
  return sum
}

/** Converts a sum of groups of nine digits, in units of 1 / 10^`scale`. Scales may be negative. */
function toDecimal(sum: number, scale: number): Decimal {
  if (scale < 0) return { digits: BigInt(sum) * 10n ** BigInt(-scale), scale: 0 }
  return { digits: BigInt(sum), scale }
}

/** Room for the lanes of the charges of a slice. All questions share it: nothing else runs until they are added. */
export const laneRoom = new Uint32Array(2 ** 16)
