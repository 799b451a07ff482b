import { type Decimal, decimalOf, digitsAt, subtract, ZERO } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { Charges } from './charges.ts'

/** Where to add charges: in lanes, which are few and numbered from 0, each for one cell. */
interface Target {
  /** Lanes per charge; null if all are in lane 0. */
  readonly lanes: Uint32Array | null
  readonly cellOf: (lane: number) => number
  /** The number of decimals of the smallest unit of a lane's currency. */
  readonly digitsOf: (lane: number) => number
}

interface AmountsOfCharges extends Pick<Charges, 'length' | 'table' | 'rule'> {
  readonly amounts: Uint16Array
}

/** Exact sums of cells in major units, in any order of charges. */
export class ChargeSums {
  readonly #sums = new Map<number, Decimal>()
  #lanes = new Float64Array(0)

  add({ length, amounts, table, rule }: AmountsOfCharges, { lanes, cellOf, digitsOf }: Target): void {
    const isMinor = rule.unit === 'minor'
    for (const [scale, digits] of table.groupsOfNine) {
      const take = (lane: number, sum: number) =>
        this.addTo(cellOf(lane), toDecimal(sum, scale + (isMinor ? digitsOf(lane) : 0)))
      if (lanes) this.#addEach(digits, { length, amounts, lanes }, take)
      else take(0, sumOf(digits, amounts, length))
    }
  }

  /** Passes the sums of all lanes that are not 0 to `take`. */
  #addEach(
    digits: Int32Array,
    { length, amounts, lanes }: { length: number; amounts: Uint16Array; lanes: Uint32Array },
    take: (lane: number, sum: number) => void,
  ): void {
    let last = 0
    for (let index = 0; index < length; index++) last = Math.max(last, lanes[index] as number)
    if (this.#lanes.length <= last) this.#lanes = enlarged(this.#lanes, 2 * (last + 1))
    const sums = this.#lanes
    for (let index = 0; index < length; index++) {
      const lane = lanes[index] as number
      sums[lane] = (sums[lane] as number) + (digits[amounts[index] as number] as number)
    }
    for (let lane = 0; lane <= last; lane++) {
      const sum = sums[lane] as number
      if (sum === 0) continue
      take(lane, sum)
      sums[lane] = 0
    }
  }

  /** Adds an amount to a cell, at the finer scale of both: scales differ between segments. */
  addTo(cell: number, amount: Decimal): void {
    const known = this.#sums.get(cell) ?? ZERO
    const scale = Math.max(known.scale, amount.scale)
    this.#sums.set(cell, { digits: digitsAt(known, scale) + digitsAt(amount, scale), scale })
  }

  /** The cells to which anything was added. */
  cells(): Iterable<number> {
    return this.#sums.keys()
  }

  sumOf(cell: number): Decimal {
    const { digits, scale } = this.#sums.get(cell) ?? ZERO
    return decimalOf(digits, scale)
  }
}

/** Payments minus refunds, by cell. */
export class NetSums {
  readonly #payments = new ChargeSums()
  readonly #refunds = new ChargeSums()

  /** The sums to which charges belong: those of payments, or of refunds. */
  of({ isRefund }: Pick<Charges, 'isRefund'>): ChargeSums {
    return isRefund ? this.#refunds : this.#payments
  }

  /** The cells to which anything was added. */
  cells(): ReadonlySet<number> {
    return new Set([...this.#payments.cells(), ...this.#refunds.cells()])
  }

  netOf(cell: number): Decimal {
    return subtract(this.#payments.sumOf(cell), this.#refunds.sumOf(cell))
  }
}

/** The most terms of nine digits whose sum is exact as a double, in any order. */
const MOST_TERMS = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** 9)

interface OpenLanes {
  readonly sums: Float64Array
  terms: number
}

/** Sums of lanes in major units, for very many charges: the terms of a lane are added up as doubles, per scale. */
export class LaneSums {
  readonly #lanes: number
  readonly #open = new Map<number, OpenLanes>()
  readonly #closed = new ChargeSums()

  constructor(lanes: number) {
    this.#lanes = lanes
  }

  /** Sums per lane, for at most `terms` more terms of nine digits, in units of 1 / 10^`scale` (maybe negative). */
  at(scale: number, terms: number): Float64Array {
    const known = this.#open.get(scale)
    if (known && known.terms + terms > MOST_TERMS) this.#close(scale, known)
    const open = this.#open.get(scale) ?? { sums: new Float64Array(this.#lanes), terms: 0 }
    open.terms += terms
    this.#open.set(scale, open)
    return open.sums
  }

  /** The lanes whose sums may differ from 0. */
  cells(): Iterable<number> {
    this.#closeAll()
    return this.#closed.cells()
  }

  sumOf(lane: number): Decimal {
    this.#closeAll()
    return this.#closed.sumOf(lane)
  }

  #closeAll(): void {
    for (const [scale, open] of this.#open) this.#close(scale, open)
  }

  #close(scale: number, { sums }: OpenLanes): void {
    for (let lane = 0; lane < sums.length; lane++) {
      const sum = sums[lane] as number
      if (sum !== 0) this.#closed.addTo(lane, toDecimal(sum, scale))
    }
    this.#open.delete(scale)
  }
}

/** Converts a sum of groups of nine digits, in units of 1 / 10^`scale`. Scales may be negative. */
export function toDecimal(sum: number, scale: number): Decimal {
  if (scale < 0) return { digits: BigInt(sum) * 10n ** BigInt(-scale), scale: 0 }
  return { digits: BigInt(sum), scale }
}

function sumOf(digits: Int32Array, amounts: Uint16Array, length: number): number {
  let sum = 0
  for (let index = 0; index < length; index++) sum += digits[amounts[index] as number] as number
  return sum
}
