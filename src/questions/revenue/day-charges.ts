import { add, type Decimal, ZERO } from '../../base/decimal.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { type AmountTable, amountReader } from './amount-tables.ts'
import { toDecimal } from './charge-sums.ts'
import { type ChargeReader, type Charges, createChargeReader } from './charges.ts'
import { splitByCurrency } from './charges-by-currency.ts'
import { digitsOf } from './currency.ts'
import { daysOf } from './day-slices.ts'
import { keyOfRules } from './rules-key.ts'

/** Payments in one currency, or refunds, of a segment on a day. A day may have several of a currency. */
export interface DayCharges {
  readonly day: number
  readonly isRefund: boolean
  readonly currency: string
  readonly count: number
  readonly sum: Decimal
  /** The user of each charge. */
  users(): Uint32Array
  amounts(): ChargeAmounts
}

interface ChargeAmounts {
  /** Codes of amounts, per charge. */
  readonly codes: Uint16Array
  /** The digits of each code's amount, in groups of nine: units of 1 / 10^`scale`. */
  readonly groups: readonly { readonly scale: number; readonly digits: Int32Array }[]
}

interface SegmentCharges<C = DayCharges> {
  readonly charges: readonly C[]
  /** Per day: the number of events that match a rule but have no valid amount or currency. */
  readonly skipped: ReadonlyMap<number, number>
}

interface DayChargesParams {
  readonly columns: Columns
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  /** The currency; null for all. */
  readonly currency: string | null
}

interface DayChargeReader extends Pick<ChargeReader, 'names' | 'prepare'> {
  /** The charges of a slice of whole days. They may include other days of its segment, and other currencies. */
  of(slice: SegmentSlice): SegmentCharges
}

/** Creates a reader. Without filters, each segment is added up once and cached. */
export function createDayChargeReader({ columns, rules, filters, currency }: DayChargesParams): DayChargeReader {
  const ofRules = filters.length === 0 ? keyOfRules(rules) : null
  /** The ordinals of each segment's currencies, kept because a question may return to a segment. */
  const ofSegments = new WeakMap<Segment, Map<string, number>>()
  let currencies = new Map<string, number>()
  const digits = new Map<string, number>()
  const onlyOne = ofRules === null ? currency : null
  const reader = createChargeReader({
    columns,
    rules,
    filters,
    ordinalOf(code) {
      if (onlyOne !== null && code !== onlyOne) return OUTSIDE
      if (!currencies.has(code)) currencies.set(code, currencies.size)
      return currencies.get(code) as number
    },
  })

  function addUp({ from, to, ...slice }: SegmentSlice): SegmentCharges<StoredCharges> {
    currencies = ofSegments.get(slice.segment) ?? new Map()
    ofSegments.set(slice.segment, currencies)
    const charges: StoredCharges[] = []
    const skipped = new Map<number, number>()
    for (const { day, ...range } of daysOf(columns, slice.segment)) {
      if (range.from < from || range.to > to) continue
      const before = reader.skipped
      for (const found of reader.of({ ...slice, ...range })) charges.push(...byCurrency(found, day))
      skipped.set(day, reader.skipped - before)
    }
    return { charges, skipped }
  }

  function* byCurrency(charges: Charges, day: number): Generator<StoredCharges> {
    const { isRefund, rule, table } = charges
    const codes = [...currencies.keys()]
    for (const { ordinal, users, amounts: own } of splitByCurrency(charges, codes.length)) {
      const currency = codes[ordinal] as string
      const shift = rule.unit === 'minor' ? digitsIn(digits, currency) : 0
      const amounts = { codes: own, groups: scaled(table, shift) }
      const at = users ? { users, amounts: compact(amounts) } : { from: charges.from ?? 0, rule, shift }
      yield { day, isRefund, currency, count: own.length, sum: sumOf(amounts), at }
    }
  }

  const keyOf = ({ segment }: Pick<SegmentSlice, 'segment'>) => `${segment.key} charges ${ofRules}`
  return {
    names: reader.names,
    *prepare(slice) {
      if (ofRules === null || !segmentCache.has(keyOf(slice))) yield* reader.prepare(slice)
    },
    of(slice) {
      const read = () => addUp({ ...slice, from: 0, to: Number.POSITIVE_INFINITY })
      const { charges, skipped } = ofRules === null ? addUp(slice) : segmentCache.getOrAdd(keyOf(slice), read, bytesOf)
      return { charges: charges.map((stored) => new OpenCharges(slice.segment, stored)), skipped }
    },
  }
}

function digitsIn(known: Map<string, number>, currency: string): number {
  const digits = known.get(currency) ?? digitsOf(currency)
  known.set(currency, digits)
  return digits
}

/** Cached charges: their position if they are all events of a day, else their users and amounts. */
interface StoredCharges extends Omit<DayCharges, 'users' | 'amounts'> {
  readonly at: AllOfDay | Own
}

interface AllOfDay {
  readonly from: number
  readonly rule: RevenueRule
  /** What the currency's decimals add to scales. */
  readonly shift: number
}

interface Own {
  readonly users: Uint32Array
  readonly amounts: ChargeAmounts
}

/** Charges that read users and amounts when asked for them. */
class OpenCharges implements DayCharges {
  readonly day: number
  readonly isRefund: boolean
  readonly currency: string
  readonly count: number
  readonly sum: Decimal
  readonly #segment: Segment
  readonly #at: StoredCharges['at']

  constructor(segment: Segment, { day, isRefund, currency, count, sum, at }: StoredCharges) {
    this.day = day
    this.isRefund = isRefund
    this.currency = currency
    this.count = count
    this.sum = sum
    this.#segment = segment
    this.#at = at
  }

  users(): Uint32Array {
    const at = this.#at
    return 'users' in at ? at.users : this.#segment.users.subarray(at.from, at.from + this.count)
  }

  amounts(): ChargeAmounts {
    const at = this.#at
    if ('users' in at) return at.amounts
    const table = amountReader(at.rule.amount)(this.#segment)
    return { codes: table.codes.subarray(at.from, at.from + this.count), groups: scaled(table, at.shift) }
  }
}

function scaled({ groupsOfNine }: Pick<AmountTable, 'groupsOfNine'>, shift: number): ChargeAmounts['groups'] {
  return Array.from(groupsOfNine, ([scale, digits]) => ({ scale: scale + shift, digits }))
}

/** Renumbers codes so that only amounts that occur are stored. */
function compact({ codes, groups }: ChargeAmounts): ChargeAmounts {
  const codeOf = new Uint16Array(Math.max(0, ...groups.map(({ digits }) => digits.length)))
  const occurring: number[] = []
  const own = new Uint16Array(codes.length)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number
    if (codeOf[code] === 0) codeOf[code] = occurring.push(code)
    own[at] = (codeOf[code] as number) - 1
  }
  const digitsOfOwn = (digits: Int32Array) => Int32Array.from(occurring, (code) => digits[code] as number)
  return { codes: own, groups: groups.map(({ scale, digits }) => ({ scale, digits: digitsOfOwn(digits) })) }
}

/** The exact sum of amounts: a segment has fewer than 2^16 events. */
function sumOf({ codes, groups }: ChargeAmounts): Decimal {
  return groups.map(({ scale, digits }) => toDecimal(addUpDigits(codes, digits), scale)).reduce(add, ZERO)
}

function addUpDigits(codes: Uint16Array, digits: Int32Array): number {
  let sum = 0
  for (let at = 0; at < codes.length; at++) sum += digits[codes[at] as number] as number
  return sum
}

/** The approximate memory of the objects of an entry. */
const ENTRY_BYTES = 300

function bytesOf({ charges, skipped }: SegmentCharges<StoredCharges>): number {
  return charges.reduce((sum, { at }) => sum + ENTRY_BYTES + ('users' in at ? bytesOfOwn(at) : 0), 40 * skipped.size)
}

function bytesOfOwn({ users, amounts: { codes, groups } }: Own): number {
  return groups.reduce((sum, { digits }) => sum + digits.byteLength, users.byteLength + codes.byteLength)
}
