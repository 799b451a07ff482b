import { add, type Decimal, ZERO } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { closedDictionary } from '../../columns/selection/dictionary.ts'
import { groupingByText } from '../../columns/selection/grouping.ts'
import { distinctUsers, distinctUsersOfGroups } from '../distinct-users.ts'
import type { GroupValues } from '../groups.ts'
import { createPace } from '../pace.ts'
import { ChargeSums } from './charge-sums.ts'
import { type Charges, createChargeReader, onlyCurrency } from './charges.ts'
import { digitsOf } from './currency.ts'
import type { RevenueQuery } from './query.ts'

/** What was paid in a span of time. */
export interface Revenue {
  readonly gross: Decimal
  readonly refunds: Decimal
  readonly payments: number
  /** Distinct users with a payment, and those with their first one ever. */
  readonly payers: number
  readonly newPayers: number
}

const NO_REVENUE: Revenue = { gross: ZERO, refunds: ZERO, payments: 0, payers: 0, newPayers: 0 }

/** Of different payments, and different users. */
export function addRevenue(a: Revenue, b: Revenue): Revenue {
  return {
    gross: add(a.gross, b.gross),
    refunds: add(a.refunds, b.refunds),
    payments: a.payments + b.payments,
    payers: a.payers + b.payers,
    newPayers: a.newPayers + b.newPayers,
  }
}

/** What was paid in a group, or in all: on each day of the period, in all of it, and in all of the one before. */
export interface RevenueCounts {
  readonly values: GroupValues
  readonly days: readonly Revenue[]
  readonly whole: Revenue
  readonly before: Revenue
}

/** Counts these groups, 20 at most, and nothing else; everything as one where there are none. */
export function* countRevenue(
  columns: Columns,
  query: RevenueQuery,
  { groups, firsts }: { groups: readonly GroupValues[] | null; firsts: Float64Array },
): Generator<void, RevenueCounts[]> {
  const { rules, filters, groupBy, currency } = query
  const grouping = groups && groupBy ? groupingByText(columns, [groupBy], closedDictionary(groups)) : null
  const reader = createChargeReader({ columns, rules, filters, grouping, ordinalOf: onlyCurrency(currency) })
  const days = daysIn(query)
  const counter = new RevenueCounter({ currency, groups: groups?.length ?? null, spans: days.length + 1, firsts })
  const pace = createPace()
  for (const [period, spanOfDay] of [
    [query as Period, (day: number) => day - query.from],
    [query.before, () => days.length],
  ] as const) {
    for (const day of daysIn(period)) {
      for (const slice of columns.slicesOf(reader.names, spanOf(columns.calendar, { from: day, to: day }))) {
        for (const charges of reader.of(slice)) counter.add(charges, spanOfDay(day))
        if (pace.isDue(slice.to - slice.from)) yield
      }
    }
  }
  return (groups ?? [[]]).map((values, group) => ({ values, ...counter.countsOf(group) }))
}

interface Size {
  readonly currency: string
  /** Null where nothing is grouped. */
  readonly groups: number | null
  /** The last one is the period before. */
  readonly spans: number
  readonly firsts: Float64Array
}

class RevenueCounter {
  readonly #size: Size
  readonly #groups: number
  readonly #digits: number
  readonly #gross = new ChargeSums()
  readonly #refunds = new ChargeSums()
  /** By span, then by group. */
  readonly #payments: Uint32Array[]
  readonly #payers: Uint32Array[]
  readonly #newPayers: Uint32Array[]
  readonly #ever: Uint32Array
  readonly #ignored: Uint32Array
  readonly #distinct: ReturnType<typeof distinctUsers>
  /** By user a bit for each group of the first payment: of several at one instant, each is. */
  readonly #begun: Uint32Array

  constructor(size: Size) {
    this.#size = size
    this.#groups = size.groups ?? 1
    this.#digits = digitsOf(size.currency)
    const users = size.firsts.length
    const bySpan = () => Array.from({ length: size.spans }, () => new Uint32Array(this.#groups))
    this.#payments = bySpan()
    this.#payers = bySpan()
    this.#newPayers = bySpan()
    this.#ever = new Uint32Array(this.#groups)
    this.#ignored = new Uint32Array(this.#groups)
    this.#distinct = (size.groups === null ? distinctUsers : distinctUsersOfGroups)(users)
    this.#begun = new Uint32Array(users)
  }

  add(charges: Charges, span: number): void {
    const { isRefund, length } = charges
    const groups = charges.groups()
    const sums = isRefund ? this.#refunds : this.#gross
    const first = span * this.#groups
    const amounts = charges.amounts()
    sums.add({ ...charges, amounts }, { lanes: groups, cellOf: (group) => first + group, digitsOf: () => this.#digits })
    if (isRefund) return
    const isBefore = span === this.#size.spans - 1
    const counted = { inSpan: this.#payers[span] as Uint32Array, ever: isBefore ? this.#ignored : this.#ever }
    const users = charges.users()
    this.#distinct.add({ users, groups, from: 0, to: length }, span + 1, counted)
    addOnes(groups, length, this.#payments[span] as Uint32Array)
    this.#addBeginners(charges, groups, this.#newPayers[span] as Uint32Array)
  }

  #addBeginners(charges: Charges, groups: Uint32Array | null, newPayers: Uint32Array): void {
    const [users, times] = [charges.users(), charges.times()]
    const { firsts } = this.#size
    const begun = this.#begun
    for (let index = 0; index < charges.length; index++) {
      const user = users[index] as number
      if (times[index] !== firsts[user]) continue
      const group = groups ? (groups[index] as number) : 0
      const known = begun[user] as number
      begun[user] = known | (1 << group)
      newPayers[group] = (newPayers[group] as number) + (~(known >>> group) & 1)
    }
  }

  countsOf(group: number): Omit<RevenueCounts, 'values'> {
    const all = this.#payments.map((_, span): Revenue => this.#revenueOf(span, group))
    const before = all.pop() as Revenue
    const sum = all.reduce(addRevenue, NO_REVENUE)
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

function addOnes(groups: Uint32Array | null, length: number, counts: Uint32Array): void {
  if (!groups) {
    counts[0] = (counts[0] as number) + length
    return
  }
  for (let index = 0; index < length; index++) {
    const group = groups[index] as number
    counts[group] = (counts[group] as number) + 1
  }
}
