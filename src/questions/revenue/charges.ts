import { toName } from '../../base/text/text.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { type Filter, type Operator, parseProperty } from '../../columns/selection/filter.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { createSelection, type Picked, type Selection } from '../../columns/selection/selection.ts'
import type { RevenueFilter, RevenueRule } from '../../storage/revenue-rule.ts'
import { type AmountTable, amountReader, type Currencies, currencyReader, NO_CURRENCY } from './amount-tables.ts'

/** Payments, or refunds, of one slice of events and one rule. */
export interface Charges {
  readonly rule: RevenueRule
  readonly isRefund: boolean
  readonly length: number
  readonly users: Uint32Array
  readonly times: Float64Array
  /** The ordinals of their groups; null where nothing is grouped. */
  readonly groups: Uint32Array | null
  /** The ordinals of their currencies. */
  readonly currencies: Uint32Array
  /** Codes of `table`. */
  readonly amounts: Uint32Array
  readonly table: AmountTable
}

interface ChargesParams {
  readonly columns: Columns
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  readonly grouping?: Grouping | null
  /** The ordinal of a currency; `OUTSIDE` if it is not wanted. */
  ordinalOf(currency: string): number
}

export interface ChargeReader {
  /** The names of events that rules are about. */
  readonly names: readonly string[]
  /** The charges of a slice, rule by rule. Each overwrites the one before. */
  of(slice: SegmentSlice): Generator<Charges>
  /** Events so far that a rule matches but that have no valid amount, or no currency. */
  readonly skipped: number
}

interface OpenRule {
  readonly rule: RevenueRule
  readonly selection: Selection
  readonly amountsOf: (segment: Segment) => AmountTable
  readonly currenciesOf: (segment: Segment) => Currencies
}

export function createChargeReader({ columns, rules, filters, grouping, ordinalOf }: ChargesParams): ChargeReader {
  const open = rules.map(
    (rule): OpenRule => ({
      rule,
      selection: createSelection(columns, {
        filters: [...rule.filters.map(toFilter), ...filters],
        grouping: grouping ?? null,
      }),
      amountsOf: amountReader(rule.amount),
      currenciesOf: currencyReader(rule.currency, ordinalOf),
    }),
  )
  const byName = Map.groupBy(open, ({ rule }) => toName(rule.event))
  const collector = new Collector()
  return {
    names: [...byName.keys()],
    *of({ name, segment, from, to }) {
      const own = byName.get(name) ?? []
      collector.begin(segment, { from, to, isShared: own.length > 1 })
      for (const { rule, selection, amountsOf, currenciesOf } of own) {
        const picked = selection.pick(segment, from, to)
        if (picked.from === picked.to) continue
        const table = amountsOf(segment)
        collector.collect(picked, table, currenciesOf(segment))
        if (collector.length > 0) yield collector.charges(rule, table, picked.groups !== null)
      }
    },
    get skipped() {
      return collector.skipped
    },
  }
}

function toFilter({ prop, op, values }: RevenueFilter): Filter {
  const property = parseProperty(prop)
  if (!property) throw new TypeError(`no property is called ${prop}`)
  return { property, operator: op as Operator, values }
}

/** Collects what a rule matches and no rule before it. Filters of a question hold for all rules, so they hide no match of an earlier one. */
class Collector {
  skipped = 0
  length = 0
  #segment: Segment | null = null
  #isShared = false
  /** By event: 1 where a rule matched. */
  #isTaken = new Uint8Array(0)
  #users = new Uint32Array(0)
  #groups = new Uint32Array(0)
  #currencies = new Uint32Array(0)
  #amounts = new Uint32Array(0)
  #times = new Float64Array(0)

  begin(segment: Segment, { from, to, isShared }: { from: number; to: number; isShared: boolean }): void {
    this.#segment = segment
    this.#isShared = isShared
    if (this.#isTaken.length < to) this.#makeRoom(segment.users.length)
    if (isShared) this.#isTaken.fill(0, from, to)
  }

  #makeRoom(length: number): void {
    this.#isTaken = new Uint8Array(length)
    this.#users = new Uint32Array(length)
    this.#groups = new Uint32Array(length)
    this.#currencies = new Uint32Array(length)
    this.#amounts = new Uint32Array(length)
    this.#times = new Float64Array(length)
  }

  collect({ users, groups, indexes, from, to }: Picked, amounts: AmountTable, currencies: Currencies): void {
    const { times } = this.#segment as Segment
    const [isTaken, isShared] = [this.#isTaken, this.#isShared]
    const [ownUsers, ownGroups, ownTimes] = [this.#users, this.#groups, this.#times]
    const [ownCurrencies, ownAmounts] = [this.#currencies, this.#amounts]
    const { codes: amountCodes, isValid } = amounts
    const { codes: currencyCodes, ordinals } = currencies
    let [length, skipped] = [0, 0]
    for (let row = from; row < to; row++) {
      const index = indexes ? (indexes[row] as number) : row
      if (isShared) {
        if (isTaken[index] === 1) continue
        isTaken[index] = 1
      }
      const amount = amountCodes[index] as number
      const currency = ordinals[currencyCodes[index] as number] as number
      if (isValid[amount] === 0 || currency === NO_CURRENCY) {
        skipped++
        continue
      }
      ownUsers[length] = users[row] as number
      ownTimes[length] = times[index] as number
      ownCurrencies[length] = currency
      ownAmounts[length] = amount
      if (groups) ownGroups[length] = groups[row] as number
      length += Number(currency !== OUTSIDE)
    }
    this.length = length
    this.skipped += skipped
  }

  charges(rule: RevenueRule, table: AmountTable, isGrouped: boolean): Charges {
    return {
      rule,
      isRefund: rule.kind === 'refund',
      length: this.length,
      users: this.#users,
      times: this.#times,
      groups: isGrouped ? this.#groups : null,
      currencies: this.#currencies,
      amounts: this.#amounts,
      table,
    }
  }
}
