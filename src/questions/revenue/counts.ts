import { subtract, ZERO } from '../../base/decimal.ts'
import { NO_PERIOD } from '../../base/time/divided-period.ts'
import { daysIn } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase, mark } from '../../columns/flat-arrays.ts'
import { type DistinctUsers, distinctUsers, distinctUsersOfGroups } from '../engine/distinct-users.ts'
import { onDay } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import type { GroupValues } from '../engine/groups.ts'
import { count, list, money, record, same, type TotalOf, together } from '../engine/totals.ts'
import { amountsIn, type Charges } from './charges.ts'
import { revenueFigures } from './contract.ts'
import type { DayCharges } from './day-charges.ts'
import { type FirstPayments, firstPayments } from './first-payments.ts'
import { LaneSums } from './lane-sums.ts'
import { readPayments } from './payments.ts'
import type { RevenueQuery } from './query.ts'

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

/** Counts the revenue of the query's groups, 20 at most, or that of all. */
export function* countRevenue(
  columns: Columns,
  query: RevenueQuery,
  firsts: FirstPayments,
): Generator<void, RevenueCounts[]> {
  const counter = new RevenueCounter(query, columns.userCount)
  yield* readPayments(columns, query, firsts, counter)
  const groups = query.groups ?? [[]]
  return groups.map((values, group) => ({ values, ...counter.countsOf(group) }))
}

/** The users with a payment, or with their first payment ever. */
export const payers = countedBy(revenueFigures, {
  toQuery(params, { series, day, group }, { period, revenueRules: rules }) {
    const { filters, currency = '', group_by: grouped } = params
    const { from, to } = onDay(period, day).period
    const groups = group ? { groupBy: grouped[0]?.property ?? null, groups: [group] } : { groupBy: null, groups: null }
    return { rules, filters, currency, ...groups, from, to, before: NO_PERIOD, series }
  },
  *find(columns, query) {
    const found = new Uint8Array(columns.userCount)
    const markAll = (charges: Charges | DayCharges) => {
      if (!charges.isRefund) mark(found, charges.users())
    }
    if (query.series === 'payers') yield* readPayments(columns, query, new Map(), { add: markAll, addFirst: () => {} })
    else {
      const firsts = yield* firstPayments(columns, query)
      yield* readPayments(columns, query, firsts, { add: () => {}, addFirst: markAll })
    }
    return found
  },
})

class RevenueCounter {
  readonly #currency: string
  readonly #groups: number
  readonly #gross: LaneSums
  readonly #refunds: LaneSums
  /** Counts by span, then by group. */
  readonly #payments: Uint32Array[]
  readonly #payers: Uint32Array[]
  readonly #newPayers: Uint32Array[]
  readonly #ever: Uint32Array
  readonly #ignored: Uint32Array
  readonly #distinct: DistinctUsers
  /** Per user: a bit for each group of the first payment. Several at one instant all count. */
  readonly #begun: Uint32Array

  constructor({ currency, groups, ...period }: RevenueQuery, users: number) {
    const spans = daysIn(period).length + 1
    this.#currency = currency
    this.#groups = groups?.length ?? 1
    this.#gross = new LaneSums(spans * this.#groups)
    this.#refunds = new LaneSums(spans * this.#groups)
    const bySpan = () => Array.from({ length: spans }, () => new Uint32Array(this.#groups))
    this.#payments = bySpan()
    this.#payers = bySpan()
    this.#newPayers = bySpan()
    this.#ever = new Uint32Array(this.#groups)
    this.#ignored = new Uint32Array(this.#groups)
    this.#distinct = (groups === null ? distinctUsers : distinctUsersOfGroups)(users)
    this.#begun = new Uint32Array(users)
  }

  add(charges: Charges | DayCharges, span: number): void {
    const { isRefund, count } = charges
    const sums = isRefund ? this.#refunds : this.#gross
    const groups = 'sum' in charges ? null : charges.groups()
    if ('sum' in charges) sums.addTo(span, charges.sum)
    // Lanes are by span, then by group.
    else sums.add(amountsIn(charges, this.#currency), groups as Uint32Array, 1, span * this.#groups)
    if (isRefund) return
    this.#addPayers({ users: charges.users(), groups, from: 0, to: count }, span)
    const payments = this.#payments[span] as Uint32Array
    if (groups) addOnes(payments, groups)
    else increase(payments, 0, count)
  }

  #addPayers(rows: Parameters<DistinctUsers['add']>[0], span: number): void {
    const isBefore = span === this.#payers.length - 1
    const counted = { inSpan: this.#payers[span] as Uint32Array, ever: isBefore ? this.#ignored : this.#ever }
    this.#distinct.add(rows, span + 1, counted)
  }

  /** Counts the users of first payments, once per group. */
  addFirst({ isRefund, ...charges }: Charges, span: number): void {
    if (isRefund) return
    const newPayers = this.#newPayers[span] as Uint32Array
    const [users, groups] = [charges.users(), charges.groups()]
    const begun = this.#begun
    for (let index = 0; index < users.length; index++) {
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

function addOnes(counts: Uint32Array, groups: Uint32Array): void {
  for (let at = 0; at < groups.length; at++) increase(counts, groups[at] as number)
}
