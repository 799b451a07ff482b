import type { Decimal } from '../../base/decimal.ts'
import type { Segment, SegmentSlice } from '../../columns/columns.ts'
import { type DayCut, dayCuts } from '../../columns/day-cuts.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { amountReader, type ChargeAmounts, inMajorUnits } from './amount-tables.ts'
import { type ChargeReader, type Charges, type ChargesParams, createChargeReader } from './charges.ts'
import { splitByCurrency } from './charges-by-currency.ts'
import { sumOfCharges } from './lane-sums.ts'
import { keyOfRules } from './rules-key.ts'

/** Payments or refunds in one currency, of a segment on a day. A day may have several entries of a currency. */
export interface DayCharges {
  readonly isRefund: boolean
  readonly currency: string
  readonly count: number
  readonly sum: Decimal
  /** The user of each charge. */
  users(): Uint32Array
  amounts(): ChargeAmounts
}

/** The charges of a segment on a day. */
interface ChargedDay extends DayCut {
  readonly charges: readonly StoredCharges[]
  /** The number of events that match a rule but have no valid amount or currency. */
  readonly skipped: number
}

/** Creates a reader of slices of whole days. Without filters, each segment is added up once and cached. */
export function createDayChargeReader(params: Omit<ChargesParams, 'grouping'>): ChargeReader<DayCharges> {
  const { columns, rules, filters, currency } = params
  const ofRules = filters.length === 0 ? keyOfRules(rules) : null
  const reader = createChargeReader({ ...params, currency: ofRules === null ? currency : null })
  const keyOf = ({ segment }: Pick<SegmentSlice, 'segment'>) => `${segment.key} charges ${ofRules}`
  const addUp = (slice: SegmentSlice): ChargedDay[] =>
    dayCuts(columns.calendar, slice.segment)
      .filter((day) => isWithin(day, slice))
      .map((day) => {
        const before = reader.skipped
        const charges = Iterator.from(reader.of({ ...slice, from: day.from, to: day.to })).flatMap(storedOf)
        return { ...day, charges: [...charges], skipped: reader.skipped - before }
      })
  let skipped = 0
  return {
    names: reader.names,
    *prepare(slice) {
      if (ofRules === null || !segmentCache.has(keyOf(slice))) yield* reader.prepare(slice)
    },
    of(slice) {
      const addUpAll = () => addUp({ ...slice, from: 0, to: Number.POSITIVE_INFINITY })
      const days = ofRules === null ? addUp(slice) : segmentCache.getOrAdd(keyOf(slice), addUpAll, bytesOf)
      const found: DayCharges[] = []
      for (const day of days) {
        if (!isWithin(day, slice)) continue
        skipped += day.skipped
        for (const stored of day.charges) {
          if (currency === null || stored.currency === currency) found.push(new OpenCharges(slice.segment, stored))
        }
      }
      return found
    },
    get skipped() {
      return skipped
    },
  }
}

function isWithin(day: DayCut, { from, to }: SegmentSlice): boolean {
  return day.from >= from && day.to <= to
}

/** Cached charges: their position if they are all events of a day, else their users and amounts. */
interface StoredCharges extends Omit<DayCharges, 'users' | 'amounts'> {
  readonly at: Position | Own
}

interface Position {
  readonly from: number
  readonly rule: RevenueRule
}

interface Own {
  readonly users: Uint32Array
  readonly amounts: ChargeAmounts
}

function storedOf(charges: Charges): StoredCharges[] {
  const { isRefund, from, rule } = charges
  return splitByCurrency(charges).map(({ currency, users, amounts }) => {
    const { length: count } = amounts.codes
    const isAll = from !== null && count === charges.count
    const at = isAll ? { from, rule } : { users: users(), amounts: compact(amounts) }
    return { isRefund, currency, count, sum: sumOfCharges(amounts), at }
  })
}

/** Reads users and amounts only when asked for them. */
class OpenCharges implements DayCharges {
  readonly isRefund: boolean
  readonly currency: string
  readonly count: number
  readonly sum: Decimal
  readonly #segment: Segment
  readonly #at: StoredCharges['at']

  constructor(segment: Segment, { isRefund, currency, count, sum, at }: StoredCharges) {
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
    const codes = table.codes.subarray(at.from, at.from + this.count)
    return { codes, groups: inMajorUnits(table, at.rule, this.currency) }
  }
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

/** The approximate memory of the objects of an entry. */
const ENTRY_BYTES = 300

function bytesOf(days: readonly ChargedDay[]): number {
  return days.reduce((sum, { charges }) => sum + ENTRY_BYTES + charges.reduce((own, { at }) => own + bytesAt(at), 0), 0)
}

function bytesAt(at: StoredCharges['at']): number {
  if (!('users' in at)) return ENTRY_BYTES
  const { users, amounts } = at
  const bytes = ENTRY_BYTES + users.byteLength + amounts.codes.byteLength
  return amounts.groups.reduce((sum, { digits }) => sum + digits.byteLength, bytes)
}
