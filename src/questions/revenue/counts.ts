import { subtract, ZERO } from '../../base/decimal.ts'
import { daysIn } from '../../base/time/period.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { increase, lowerBound } from '../../columns/flat-arrays.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { type DistinctUsers, distinctUsers, distinctUsersOfGroups } from '../engine/distinct-users.ts'
import type { GroupValues } from '../engine/groups.ts'
import { createPace } from '../engine/pace.ts'
import { count, list, money, record, same, type TotalOf, together } from '../engine/totals.ts'
import { ChargeSums } from './charge-sums.ts'
import { type ChargeReader, type Charges, createChargeReader, onlyCurrency } from './charges.ts'
import { digitsOf } from './currency.ts'
import { createDayChargeReader, type DayCharges } from './day-charges.ts'
import { type DaySlice, daySlices } from './day-slices.ts'
import type { FirstPayments } from './first-payments.ts'
import type { GrossQuery, RevenueQuery } from './query.ts'

/** Payments and refunds in a span of time. */
const revenueIn = record({
  gross: money,
  refunds: money,
  payments: count,
  /** Distinct users with a payment. */
  payers: count,
  /** Distinct users with their first payment ever. */
  newPayers: count,
})

export type Revenue = TotalOf<typeof revenueIn>

const NO_REVENUE: Revenue = { gross: ZERO, refunds: ZERO, payments: 0, payers: 0, newPayers: 0 }

/** Subtracts some payments from all. Payers do not add up, so they become 0. */
export function withoutPayments(all: Revenue, some: Revenue): Revenue {
  return {
    gross: subtract(all.gross, some.gross),
    refunds: subtract(all.refunds, some.refunds),
    payments: all.payments - some.payments,
    payers: 0,
    newPayers: 0,
  }
}

/** Revenue of a group, or of all: on each day of the period, in the whole period, and in the preceding one. */
export const revenueCounts = record({
  values: same<GroupValues>(),
  days: list(revenueIn),
  whole: revenueIn,
  before: revenueIn,
})

export type RevenueCounts = TotalOf<typeof revenueCounts>

/** Counts revenue without groups. */
export function* countRevenue(
  columns: Columns,
  query: RevenueQuery,
  firsts: FirstPayments,
): Generator<void, RevenueCounts> {
  const { currency } = query
  const reader = createDayChargeReader({ columns, ...query })
  const beginners = createChargeReader({ columns, ...query, ordinalOf: onlyCurrency(currency) })
  const counter = new RevenueCounter({
    currency,
    groups: null,
    spans: daysIn(query).length + 1,
    users: columns.userCount,
  })
  yield* forSlices(columns, query, [reader, beginners], (slice, span) => {
    for (const charges of reader.of(slice).charges) {
      if (charges.day === slice.day && charges.currency === currency) counter.addDay(charges, span)
    }
    for (const charges of beginners.of(slice, firstsOf(slice, firsts))) counter.addBeginners(charges, span)
  })
  return { values: [], ...counter.countsOf(0) }
}

/** Counts only these groups, 20 at most. */
export function* countGroups(
  columns: Columns,
  query: RevenueQuery & Pick<GrossQuery, 'groupBy'>,
  { groups, firsts }: { groups: readonly GroupValues[]; firsts: FirstPayments },
): Generator<void, RevenueCounts[]> {
  const { rules, filters, groupBy, currency } = query
  const grouping = groupingByText(columns, [groupBy], closedDictionary(groups))
  const reader = createChargeReader({ columns, rules, filters, grouping, ordinalOf: onlyCurrency(currency) })
  const spans = daysIn(query).length + 1
  const counter = new RevenueCounter({ currency, groups: groups.length, spans, users: columns.userCount })
  yield* forSlices(columns, query, [reader], (slice, span) => {
    for (const charges of reader.of(slice)) counter.add(charges, span)
    for (const charges of reader.of(slice, firstsOf(slice, firsts))) counter.addBeginners(charges, span)
  })
  return groups.map((values, group) => ({ values, ...counter.countsOf(group) }))
}

/** Passes each day's events to `take`, then those of the preceding period, which is the last span. */
function* forSlices(
  columns: Columns,
  query: RevenueQuery,
  readers: readonly Pick<ChargeReader, 'names' | 'prepare'>[],
  take: (slice: DaySlice, span: number) => void,
): Generator<void, void> {
  const last = daysIn(query).length
  const pace = createPace()
  for (const period of [query, query.before]) {
    for (const slice of daySlices(columns, readers[0]?.names ?? [], period)) {
      for (const reader of readers) yield* reader.prepare(slice)
      take(slice, period === query ? slice.day - query.from : last)
      if (pace.isDue(slice.to - slice.from)) yield
    }
  }
}

/** Indexes of the first payments in a slice. */
function firstsOf({ segment, from, to }: SegmentSlice, firsts: FirstPayments): Uint16Array {
  const all = firsts.get(segment.key) ?? NONE
  return all.subarray(lowerBound(all, from), lowerBound(all, to))
}

const NONE = new Uint16Array(0)

interface Size {
  readonly currency: string
  /** The number of groups; null if nothing is grouped. */
  readonly groups: number | null
  /** The number of spans: days, then the preceding period. */
  readonly spans: number
  readonly users: number
}

class RevenueCounter {
  readonly #size: Size
  readonly #groups: number
  readonly #digits: number
  readonly #gross = new ChargeSums()
  readonly #refunds = new ChargeSums()
  /** Counts by span, then by group. */
  readonly #payments: Uint32Array[]
  readonly #payers: Uint32Array[]
  readonly #newPayers: Uint32Array[]
  readonly #ever: Uint32Array
  readonly #ignored: Uint32Array
  readonly #distinct: DistinctUsers
  /** Per user: a bit for each group of the first payment. Several at one instant all count. */
  readonly #begun: Uint32Array

  constructor(size: Size) {
    this.#size = size
    this.#groups = size.groups ?? 1
    this.#digits = digitsOf(size.currency)
    const bySpan = () => Array.from({ length: size.spans }, () => new Uint32Array(this.#groups))
    this.#payments = bySpan()
    this.#payers = bySpan()
    this.#newPayers = bySpan()
    this.#ever = new Uint32Array(this.#groups)
    this.#ignored = new Uint32Array(this.#groups)
    this.#distinct = (size.groups === null ? distinctUsers : distinctUsersOfGroups)(size.users)
    this.#begun = new Uint32Array(size.users)
  }

  add(charges: Charges, span: number): void {
    const { isRefund, length } = charges
    const groups = charges.groups() as Uint32Array
    const first = span * this.#groups
    const amounts = charges.amounts()
    const target = { lanes: groups, cellOf: (group: number) => first + group, digitsOf: () => this.#digits }
    this.#sums(isRefund).add({ ...charges, amounts }, target)
    if (isRefund) return
    this.#addPayers({ users: charges.users(), groups, from: 0, to: length }, span)
    addOnes(groups, length, this.#payments[span] as Uint32Array)
  }

  /** Adds charges of a day if nothing is grouped. */
  addDay(charges: DayCharges, span: number): void {
    const { isRefund, count, sum } = charges
    this.#sums(isRefund).addTo(span, sum)
    if (isRefund) return
    this.#addPayers({ users: charges.users(), groups: null, from: 0, to: count }, span)
    increase(this.#payments[span] as Uint32Array, 0, count)
  }

  #sums(isRefund: boolean): ChargeSums {
    return isRefund ? this.#refunds : this.#gross
  }

  #addPayers(rows: Parameters<DistinctUsers['add']>[0], span: number): void {
    const isBefore = span === this.#size.spans - 1
    const counted = { inSpan: this.#payers[span] as Uint32Array, ever: isBefore ? this.#ignored : this.#ever }
    this.#distinct.add(rows, span + 1, counted)
  }

  /** Counts the users of first payments, once per group. */
  addBeginners({ length, isRefund, ...charges }: Charges, span: number): void {
    if (isRefund) return
    const newPayers = this.#newPayers[span] as Uint32Array
    const [users, groups] = [charges.users(), charges.groups()]
    const begun = this.#begun
    for (let index = 0; index < length; index++) {
      const user = users[index] as number
      const group = groups ? (groups[index] as number) : 0
      const known = begun[user] as number
      if ((known >>> group) & 1) continue
      begun[user] = known | (1 << group)
      increase(newPayers, group)
    }
  }

  countsOf(group: number): Omit<RevenueCounts, 'values'> {
    const all = this.#payments.map((_, span): Revenue => this.#revenueOf(span, group))
    const before = all.pop() as Revenue
    const sum = together(revenueIn)([NO_REVENUE, ...all])
    return { days: all, whole: { ...sum, payers: this.#ever[group] as number }, before }
  }

  #revenueOf(span: number, group: number): Revenue {
    const cell = span * this.#groups + group
    return {
      gross: this.#gross.sumOf(cell),
      refunds: this.#refunds.sumOf(cell),
      payments: this.#payments[span]?.[group] as number,
      payers: this.#payers[span]?.[group] as number,
      newPayers: this.#newPayers[span]?.[group] as number,
    }
  }
}

function addOnes(groups: Uint32Array, length: number, counts: Uint32Array): void {
  for (let index = 0; index < length; index++) increase(counts, groups[index] as number)
}
