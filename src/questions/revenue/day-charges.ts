import type { Decimal } from '../../base/decimal.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { intervalSlices } from '../../columns/interval-slices.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { ChargeSums } from './charge-sums.ts'
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
  /** Those who paid: most of them once; nobody for refunds. */
  readonly users: Uint32Array
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
    const codes = [...currencies.keys()]
    const digitsAt = (ordinal: number) => digitsIn(digits, codes[ordinal] as string)
    const [sums, counts] = [new ChargeSums(), [] as number[]]
    sums.addByCurrency(charges, { counts, digitsOf: digitsAt })
    const { isRefund } = charges
    const users = isRefund ? null : usersByCurrency(charges, counts)
    let from = 0
    for (const [ordinal, count = 0] of counts.entries()) {
      if (count === 0) continue
      const own = users ? distinct(users.subarray(from, from + count)) : NOBODY
      from += count
      yield { day, isRefund, currency: codes[ordinal] as string, count, sum: sums.sumOf(ordinal), users: own }
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

const NOBODY = new Uint32Array(0)

function digitsIn(known: Map<string, number>, currency: string): number {
  const digits = known.get(currency) ?? digitsOf(currency)
  known.set(currency, digits)
  return digits
}

/** Currency after currency. */
function usersByCurrency({ length, currencies, ...charges }: Charges, counts: readonly number[]): Uint32Array {
  const [users, codes] = [charges.users(), charges.currencyCodes()]
  const next = new Uint32Array(counts.length)
  for (let ordinal = 1; ordinal < next.length; ordinal++) {
    next[ordinal] = (next[ordinal - 1] as number) + (counts[ordinal - 1] ?? 0)
  }
  const { ordinals } = currencies
  const sorted = new Uint32Array(length)
  for (let at = 0; at < length; at++) {
    const ordinal = ordinals[codes[at] as number] as number
    sorted[next[ordinal] as number] = users[at] as number
    increase(next, ordinal)
  }
  return sorted
}

/** A copy without those who come again. */
function distinctOf(userCount: number): (users: Uint32Array) => Uint32Array {
  let lastSeen = new Uint32Array(0)
  let time = 0
  return (users) => {
    if (time === 0) lastSeen = new Uint32Array(userCount)
    time += 1
    let count = 0
    for (const user of users) {
      const isNew = lastSeen[user] !== time
      lastSeen[user] = time
      // Writing never overtakes reading.
      users[count] = user
      count += Number(isNew)
    }
    return users.slice(0, count)
  }
}

/** About what the objects of one entry take. */
const ENTRY_BYTES = 200

function bytesOf({ charges, skipped }: SegmentCharges): number {
  return charges.reduce((sum, { users }) => sum + users.byteLength + ENTRY_BYTES, 40 * skipped.size)
}
