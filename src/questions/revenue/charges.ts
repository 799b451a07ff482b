import { toName } from '../../base/text/text.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { type Filter, type Operator, parseProperty } from '../../columns/selection/filter.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { createSelection, type Picked, type Selection } from '../../columns/selection/selection.ts'
import type { RevenueFilter, RevenueRule } from '../../storage/revenue-rule.ts'
import { type AmountTable, amountReader, type Currencies, currencyReader } from './amount-tables.ts'

/** Payments, or refunds, of one slice of events and one rule. */
export interface Charges {
  readonly rule: RevenueRule
  readonly isRefund: boolean
  readonly length: number
  readonly users: Uint32Array
  readonly times: () => Float64Array
  /** The ordinals of their groups; null where nothing is grouped. */
  readonly groups: Uint32Array | null
  /** The ordinals of their currencies. */
  readonly currencies: () => Uint32Array
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
        const [table, currencies] = [amountsOf(segment), currenciesOf(segment)]
        collector.collect(picked, table, currencies)
        if (collector.length > 0) yield collector.charges(rule, { picked, table, currencies })
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
  /** The indexes of charges in their segment, and in what was picked of it. */
  #indexes = new Uint32Array(0)
  #rows = new Uint32Array(0)
  #gathered = newBuffers(0)

  begin(segment: Segment, { from, to, isShared }: { from: number; to: number; isShared: boolean }): void {
    this.#segment = segment
    this.#isShared = isShared
    if (this.#isTaken.length < to) {
      const { length } = segment.users
      this.#isTaken = new Uint8Array(length)
      this.#indexes = new Uint32Array(length)
      this.#rows = new Uint32Array(length)
      this.#gathered = newBuffers(length)
    }
    // Of an earlier segment, too, marks may be left.
    this.#isTaken.fill(0, from, to)
  }

  collect(picked: Picked, amounts: AmountTable, currencies: Currencies): void {
    const indexes = this.#isShared || picked.indexes ? this.#takeRows(picked) : null
    const [from, to] = indexes ? [0, this.length] : [picked.from, picked.to]
    const ofBoth = { amounts, currencies, from, to }
    this.length = indexes ? this.#keepSome(indexes, ofBoth) : this.#keepAny(ofBoth)
  }

  /** The indexes of rows that no earlier rule has taken. */
  #takeRows({ indexes, from, to }: Picked): Uint32Array {
    const [isTaken, taken, rows] = [this.#isTaken, this.#indexes, this.#rows]
    let length = 0
    for (let row = from; row < to; row++) {
      const index = indexes ? (indexes[row] as number) : row
      taken[length] = index
      rows[length] = row
      length += 1 - (isTaken[index] as number)
      isTaken[index] = Number(this.#isShared)
    }
    this.length = length
    return taken
  }

  /** Works in place: writing never overtakes reading. */
  #keepSome(indexes: Uint32Array, { amounts, currencies, from, to }: Kept): number {
    const { codes: amountCodes, states: amountStates } = amounts
    const { codes: currencyCodes, states: currencyStates } = currencies
    const rows = this.#rows
    let [length, skipped] = [0, 0]
    for (let at = from; at < to; at++) {
      const index = indexes[at] as number
      const amount = amountStates[amountCodes[index] as number] as number
      const state = amount & (currencyStates[currencyCodes[index] as number] as number)
      indexes[length] = index
      rows[length] = rows[at] as number
      length += state >>> 1
      skipped += 1 - (state & 1)
    }
    this.skipped += skipped
    return length
  }

  /** The same where rows are the events themselves. */
  #keepAny({ amounts, currencies, from, to }: Kept): number {
    const { codes: amountCodes, states: amountStates } = amounts
    const { codes: currencyCodes, states: currencyStates } = currencies
    const [indexes, rows] = [this.#indexes, this.#rows]
    let [length, skipped] = [0, 0]
    for (let index = from; index < to; index++) {
      const amount = amountStates[amountCodes[index] as number] as number
      const state = amount & (currencyStates[currencyCodes[index] as number] as number)
      indexes[length] = index
      rows[length] = index
      length += state >>> 1
      skipped += 1 - (state & 1)
    }
    this.skipped += skipped
    return length
  }

  charges(rule: RevenueRule, { picked, table, currencies }: Charged): Charges {
    const { users, times } = this.#segment as Segment
    const [indexes, { length }, gathered] = [this.#indexes, this, this.#gathered]
    return {
      rule,
      isRefund: rule.kind === 'refund',
      length,
      users: gather(users, { indexes, length, to: gathered.users }),
      groups: picked.groups && gather(picked.groups, { indexes: this.#rows, length, to: gathered.groups }),
      amounts: gather(table.codes, { indexes, length, to: gathered.amounts }),
      table,
      times: () => gather(times, { indexes, length, to: gathered.times }),
      currencies() {
        const codes = gather(currencies.codes, { indexes, length, to: gathered.currencies })
        return gather(currencies.ordinals, { indexes: codes, length, to: codes })
      },
    }
  }
}

interface Kept {
  readonly amounts: AmountTable
  readonly currencies: Currencies
  readonly from: number
  readonly to: number
}

/** What charges are made of. */
interface Charged {
  readonly picked: Picked
  readonly table: AmountTable
  readonly currencies: Currencies
}

function newBuffers(length: number) {
  const numbers = () => new Uint32Array(length)
  const times = new Float64Array(length)
  return { users: numbers(), groups: numbers(), amounts: numbers(), currencies: numbers(), times }
}

interface Gathering<A> {
  readonly indexes: Uint32Array
  readonly length: number
  readonly to: A
}

/** What is at these indexes. */
function gather<A extends Uint32Array | Float64Array>(from: A | Uint16Array, { indexes, length, to }: Gathering<A>): A {
  for (let at = 0; at < length; at++) to[at] = from[indexes[at] as number] as number
  return to
}
