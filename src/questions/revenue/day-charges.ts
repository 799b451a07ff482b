import { add, type Decimal, ZERO } from '../../base/decimal.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { intervalSlices } from '../../columns/interval-slices.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { toDecimal } from './charge-sums.ts'
import { type Charges, createChargeReader } from './charges.ts'
import { digitsOf } from './currency.ts'
import { keyOfRules } from './rules-key.ts'

/** Payments in one currency, or refunds, of a segment on a day. There may be several of one currency. */
export interface DayCharges {
  readonly day: number
  readonly isRefund: boolean
  readonly currency: string
  readonly count: number
  readonly sum: Decimal
  /** Those who paid, or got a refund, each once. */
  readonly users: Uint32Array
  /** By group of nine digits what each of them paid: multiples of 1 / 10^`scale`. */
  readonly amounts: readonly UserAmounts[]
}

interface UserAmounts {
  readonly scale: number
  readonly byUser: Float64Array
}

interface SegmentCharges {
  readonly charges: readonly DayCharges[]
  /** By day: events that a rule matches but that have no valid amount, or no currency. */
  readonly skipped: ReadonlyMap<number, number>
}

interface DayChargesParams {
  readonly columns: Columns
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  /** Null for all currencies. */
  readonly currency: string | null
}

interface DayChargeReader {
  /** The names of events that rules are about. */
  readonly names: readonly string[]
  /** What a slice adds up to, which has whole days; perhaps with other days of its segment, and other currencies. */
  of(slice: SegmentSlice): SegmentCharges
}

/** Without filters, each segment is added up once, and cached. */
export function createDayChargeReader({ columns, rules, filters, currency }: DayChargesParams): DayChargeReader {
  const ofRules = filters.length === 0 ? keyOfRules(rules) : null
  const days = { numberOf: columns.calendar.dayOf, startOf: columns.calendar.startOf }
  /** The ordinals of each segment's currencies: a question may come back to it. */
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
  const distinct = distinctOf(columns.userCount)

  function addUp(slice: SegmentSlice): SegmentCharges {
    const found: DayCharges[] = []
    const skipped = new Map<number, number>()
    for (const { number: day, ...range } of intervalSlices(days, slice.segment.times, slice)) {
      const before = reader.skipped
      for (const charges of reader.of({ ...slice, ...range })) found.push(...byCurrency(charges, day))
      skipped.set(day, reader.skipped - before)
    }
    return { charges: found, skipped }
  }

  function* byCurrency(charges: Charges, day: number): Generator<DayCharges> {
    const { isRefund, rule, table } = charges
    const codes = [...currencies.keys()]
    const sorted = sortedByCurrency(charges, codes.length)
    let from = 0
    for (const [ordinal, to] of sorted.ends.entries()) {
      const [first, count] = [from, to - from]
      from = to
      if (count === 0) continue
      const currency = codes[ordinal] as string
      const shift = rule.unit === 'minor' ? digitsIn(digits, currency) : 0
      const { users, slots } = distinct(sorted.users.subarray(first, to))
      const own = sorted.amounts.subarray(first, to)
      const amounts = Array.from(table.groupsOfNine, ([scale, all]) => ({
        scale: scale + shift,
        byUser: addUpByUser(slots, own, { digits: all, users: users.length }),
      }))
      yield { day, isRefund, currency, count, sum: sumOf(amounts), users, amounts }
    }
  }

  return {
    names: reader.names,
    of(slice) {
      const { segment } = slice
      currencies = ofSegments.get(segment) ?? new Map()
      ofSegments.set(segment, currencies)
      if (ofRules === null) return addUp(slice)
      const read = () => addUp({ ...slice, from: 0, to: segment.users.length })
      return segmentCache.getOrAdd(`${segment.key} charges ${ofRules}`, read, bytesOf)
    },
  }
}

function digitsIn(known: Map<string, number>, currency: string): number {
  const digits = known.get(currency) ?? digitsOf(currency)
  known.set(currency, digits)
  return digits
}

/** Users and codes of amounts, currency after currency; each ends where the next one begins. */
function sortedByCurrency({ length, currencies, ...charges }: Charges, count: number) {
  const [users, codes, amounts] = [charges.users(), charges.currencyCodes(), charges.amounts()]
  const { ordinals } = currencies
  const counts = new Uint32Array(ordinals.length)
  for (let at = 0; at < length; at++) increase(counts, codes[at] as number)
  const ends = new Uint32Array(count)
  for (const [code, events] of counts.entries()) if (events > 0) increase(ends, ordinals[code] as number, events)
  for (let ordinal = 0, begin = 0; ordinal < count; ordinal++) {
    const events = ends[ordinal] as number
    ends[ordinal] = begin
    begin += events
  }
  const sorted = { users: new Uint32Array(length), amounts: new Uint16Array(length), ends }
  for (let at = 0; at < length; at++) {
    const ordinal = ordinals[codes[at] as number] as number
    const to = ends[ordinal] as number
    sorted.users[to] = users[at] as number
    sorted.amounts[to] = amounts[at] as number
    ends[ordinal] = to + 1
  }
  return sorted
}

interface Distinct {
  readonly users: Uint32Array
  /** The index there of each user who was given. */
  readonly slots: Uint16Array
}

function distinctOf(userCount: number): (users: Uint32Array) => Distinct {
  let lastSeen = new Uint32Array(0)
  let slotOf = new Uint16Array(0)
  let time = 0
  return (users) => {
    if (time === 0) [lastSeen, slotOf] = [new Uint32Array(userCount), new Uint16Array(userCount)]
    time += 1
    const slots = new Uint16Array(users.length)
    let count = 0
    for (let at = 0; at < users.length; at++) {
      const user = users[at] as number
      if (lastSeen[user] !== time) {
        lastSeen[user] = time
        slotOf[user] = count
        // Writing never overtakes reading.
        users[count++] = user
      }
      slots[at] = slotOf[user] as number
    }
    return { users: users.slice(0, count), slots }
  }
}

function addUpByUser(
  slots: Uint16Array,
  amounts: Uint16Array,
  { digits, users }: { digits: Int32Array; users: number },
): Float64Array {
  const sums = new Float64Array(users)
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    sums[slot] = (sums[slot] as number) + (digits[amounts[at] as number] as number)
  }
  return sums
}

/** Exact: a segment has fewer than 2^16 events. */
function sumOf(amounts: readonly UserAmounts[]): Decimal {
  return amounts
    .map(({ scale, byUser }) =>
      toDecimal(
        byUser.reduce((sum, amount) => sum + amount, 0),
        scale,
      ),
    )
    .reduce(add, ZERO)
}

/** About what the objects of one entry take. */
const ENTRY_BYTES = 200

function bytesOf({ charges, skipped }: SegmentCharges): number {
  return charges.reduce(
    (sum, { users, amounts }) => sum + users.length * (4 + 8 * amounts.length) + ENTRY_BYTES,
    40 * skipped.size,
  )
}
