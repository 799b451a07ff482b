import { type Decimal, decimalOf, digitsAt, subtract, ZERO } from '../../base/decimal.ts'
import { enlarged } from '../../columns/flat-arrays.ts'
import type { Charges } from './charges.ts'

/** Where charges are added up: in lanes, few and beginning at 0, each of which stands for a cell. */
interface Target {
  /** By charge its lane; null where all are in lane 0. */
  readonly lanes: Uint32Array | null
  readonly cellOf: (lane: number) => number
  /** How many digits behind the point the smallest unit of a lane's currency has. */
  readonly digitsOf: (lane: number) => number
}

interface AmountsOfCharges extends Pick<Charges, 'length' | 'table' | 'rule'> {
  readonly amounts: Uint16Array
}

/** Sums of cells in major units, exact in whatever order charges come. */
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

  /** Takes the sums of lanes that are not 0. */
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

  /** Scales differ from segment to segment. */
  addTo(cell: number, amount: Decimal): void {
    const known = this.#sums.get(cell) ?? ZERO
    const scale = Math.max(known.scale, amount.scale)
    this.#sums.set(cell, { digits: digitsAt(known, scale) + digitsAt(amount, scale), scale })
  }

  /** The cells that anything was added to. */
  cells(): Iterable<number> {
    return this.#sums.keys()
  }

  sumOf(cell: number): Decimal {
    const { digits, scale } = this.#sums.get(cell) ?? ZERO
    return decimalOf(digits, scale)
  }
}

/** Payments less refunds, by cell. */
export class NetSums {
  readonly #payments = new ChargeSums()
  readonly #refunds = new ChargeSums()

  /** The sums that charges belong to. */
  of({ isRefund }: Pick<Charges, 'isRefund'>): ChargeSums {
    return isRefund ? this.#refunds : this.#payments
  }

  /** The cells that anything was added to. */
  cells(): ReadonlySet<number> {
    return new Set([...this.#payments.cells(), ...this.#refunds.cells()])
  }

  netOf(cell: number): Decimal {
    return subtract(this.#payments.sumOf(cell), this.#refunds.sumOf(cell))
  }
}

/** Terms of nine digits have an exact sum, in whatever order, as long as there are no more of them. */
const MOST_TERMS = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** 9)

interface OpenLanes {
  readonly sums: Float64Array
  terms: number
}

/** Sums of lanes in major units, for very many charges: a lane's terms are added up as doubles, by their scale. */
export class LaneSums {
  readonly #lanes: number
  readonly #open = new Map<number, OpenLanes>()
  readonly #closed = new ChargeSums()

  constructor(lanes: number) {
    this.#lanes = lanes
  }

  /** Where to add this many terms of nine digits, or less: multiples of 1 / 10^`scale`, which may be negative. */
  at(scale: number, terms: number): Float64Array {
    const known = this.#open.get(scale)
    if (known && known.terms + terms > MOST_TERMS) this.#close(scale, known)
    const open = this.#open.get(scale) ?? { sums: new Float64Array(this.#lanes), terms: 0 }
    open.terms += terms
    this.#open.set(scale, open)
    return open.sums
  }

  /** The lanes whose sum may not be 0. */
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

/** A sum of groups of nine digits, as a multiple of 1 / 10^`scale`, which may be negative. */
export function toDecimal(sum: number, scale: number): Decimal {
  if (scale < 0) return { digits: BigInt(sum) * 10n ** BigInt(-scale), scale: 0 }
  return { digits: BigInt(sum), scale }
}

function sumOf(digits: Int32Array, amounts: Uint16Array, length: number): number {
  let sum = 0
  for (let index = 0; index < length; index++) sum += digits[amounts[index] as number] as number
  return sum
}
