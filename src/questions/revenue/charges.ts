import { toName } from '../../base/text/text.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import { OUTSIDE } from '../../columns/selection/dictionary.ts'
import { type Filter, type Operator, parseProperty } from '../../columns/selection/filter.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { type Mask, masksFor } from '../../columns/selection/masks.ts'
import { type Codes, perRows, type SelectableRows } from '../../columns/selection/rows.ts'
import { narrow } from '../../columns/selection/selection.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import type { RevenueFilter, RevenueRule } from '../../storage/revenue-rule.ts'
import { type AmountTable, amountReader, type Currencies, currencyReader } from './amount-tables.ts'

/** Payments, or refunds, of one slice of events and one rule. */
export interface Charges {
  readonly rule: RevenueRule
  readonly isRefund: boolean
  readonly length: number
  readonly segment: Segment
  /** Of each charge its index in the segment. */
  readonly indexes: Uint32Array
  /** This, and what follows, is only gathered where it is asked for. */
  users(): Uint32Array
  /** The ordinals of their groups; null where nothing is grouped. */
  groups(): Uint32Array | null
  /** Codes of `table`. */
  amounts(): Uint32Array
  readonly table: AmountTable
  readonly currencies: Currencies
}

interface ChargesParams {
  readonly columns: Columns
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  readonly grouping?: Grouping | null
  /** The ordinal of a currency; `OUTSIDE` if it is not wanted. */
  ordinalOf(currency: string): number
}

/** The ordinals of a question about one currency. */
export function onlyCurrency(currency: string): ChargesParams['ordinalOf'] {
  return (code) => (code === currency ? 0 : OUTSIDE)
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
  /** What its events pass, null where none does. */
  readonly masksOf: (rows: SelectableRows) => readonly Mask[] | null
  readonly amountsOf: (segment: Segment) => AmountTable
  readonly currenciesOf: (segment: Segment) => Currencies
}

export function createChargeReader(params: ChargesParams): ChargeReader {
  const { columns, rules, filters, grouping = null, ordinalOf } = params
  const open = rules.map(
    (rule): OpenRule => ({
      rule,
      masksOf: passableMasks(columns, { filters: [...rule.filters.map(toFilter), ...filters], grouping }),
      amountsOf: amountReader(rule.amount),
      currenciesOf: currencyReader(rule.currency, ordinalOf),
    }),
  )
  const byName = Map.groupBy(open, ({ rule }) => toName(rule.event))
  let skipped = 0
  return {
    names: [...byName.keys()],
    *of({ name, segment, from, to }) {
      makeRoom(segment.users.length)
      const own = byName.get(name) ?? []
      if (own.length > 1) isTaken.fill(0, from, to)
      for (const { rule, masksOf, amountsOf, currenciesOf } of own) {
        const masks = masksOf(segment)
        if (!masks) continue
        const found = findEvents(masks, { from, to, isShared: own.length > 1 })
        const [table, currencies] = [amountsOf(segment), currenciesOf(segment)]
        const kept = found ? keepSome(found, table, currencies) : keepAny({ from, to }, table, currencies)
        skipped += kept.skipped
        if (kept.length > 0) yield chargesAt(segment, { rule, length: kept.length, table, currencies, grouping })
      }
    },
    get skipped() {
      return skipped
    },
  }
}

function toFilter({ prop, op, values }: RevenueFilter): Filter {
  const property = parseProperty(prop)
  if (!property) throw new TypeError(`no property is called ${prop}`)
  return { property, operator: op as Operator, values }
}

/** Masks of filters and groups; null where no row can pass all of them. */
function passableMasks(
  columns: Columns,
  { filters, grouping }: { filters: readonly Filter[]; grouping: Grouping | null },
): OpenRule['masksOf'] {
  const filtered = masksFor(columns, { filters, users: WHOLE })
  return perRows((rows) => {
    const masks = filtered(rows)
    if (!masks) return null
    const groups = grouping?.of(rows)
    const all = groups?.mask ? [...masks, { codes: groups.codes, mask: groups.mask }] : masks
    return all.every(({ mask }) => mask.includes(1)) ? all : null
  })
}

// Room for one slice of events of one rule: nothing else runs until its charges are counted, so all questions share it.

/** By event: 1 where a rule matched. */
let isTaken = new Uint8Array(0)
/** Indexes of events in their segment. */
let indexes = new Uint32Array(0)
let gathered = newBuffers(0)

function newBuffers(length: number) {
  const numbers = () => new Uint32Array(length)
  return { users: numbers(), groups: numbers(), amounts: numbers() }
}

function makeRoom(length: number): void {
  if (indexes.length >= length) return
  isTaken = new Uint8Array(length)
  indexes = new Uint32Array(length)
  gathered = newBuffers(length)
}

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * How many events a rule matches that no rule before it does: the first ones of `indexes`. Null for all of the range. Filters of a
 * question hold for all rules, so they hide no match of an earlier one.
 */
function findEvents(
  masks: readonly Mask[],
  { from, to, isShared }: Range & { isShared: boolean },
): { readonly length: number } | null {
  if (masks.length === 0 && !isShared) return null
  if (masks.length > 0) {
    const length = narrow(masks, from, to, indexes)
    return { length: isShared ? takeEvents(length) : length }
  }
  for (let index = from; index < to; index++) indexes[index - from] = index
  return { length: takeEvents(to - from) }
}

/** Leaves out what is taken, in place: writing never overtakes reading. */
function takeEvents(found: number): number {
  let length = 0
  for (let at = 0; at < found; at++) {
    const index = indexes[at] as number
    indexes[length] = index
    length += 1 - (isTaken[index] as number)
    isTaken[index] = 1
  }
  return length
}

interface Kept {
  readonly length: number
  readonly skipped: number
}

/** Leaves out what has no amount, or no currency that is wanted. */
function keepSome(found: { readonly length: number }, amounts: AmountTable, currencies: Currencies): Kept {
  const { codes: amountCodes, states: amountStates } = amounts
  const { codes: currencyCodes, states: currencyStates } = currencies
  let [length, skipped] = [0, 0]
  for (let at = 0; at < found.length; at++) {
    const index = indexes[at] as number
    const amount = amountStates[amountCodes[index] as number] as number
    const state = amount & (currencyStates[currencyCodes[index] as number] as number)
    indexes[length] = index
    length += state >>> 1
    skipped += 1 - (state & 1)
  }
  return { length, skipped }
}

/** The same of all events of a range. */
function keepAny({ from, to }: Range, amounts: AmountTable, currencies: Currencies): Kept {
  const { codes: amountCodes, states: amountStates } = amounts
  const { codes: currencyCodes, states: currencyStates } = currencies
  let [length, skipped] = [0, 0]
  for (let index = from; index < to; index++) {
    const amount = amountStates[amountCodes[index] as number] as number
    const state = amount & (currencyStates[currencyCodes[index] as number] as number)
    indexes[length] = index
    length += state >>> 1
    skipped += 1 - (state & 1)
  }
  return { length, skipped }
}

interface Charged extends Pick<Charges, 'rule' | 'length' | 'table' | 'currencies'> {
  readonly grouping: Grouping | null
}

function chargesAt(segment: Segment, { rule, length, table, currencies, grouping }: Charged): Charges {
  return {
    rule,
    isRefund: rule.kind === 'refund',
    length,
    segment,
    indexes,
    table,
    currencies,
    users: () => gather(segment.users, { indexes, length, to: gathered.users }),
    amounts: () => gather(table.codes, { indexes, length, to: gathered.amounts }),
    groups() {
      const [groups, to] = [grouping?.of(segment), gathered.groups]
      return groups
        ? gather(groups.table, { indexes: gather(groups.codes, { indexes, length, to }), length, to })
        : null
    },
  }
}

interface Gathering {
  readonly indexes: Uint32Array
  readonly length: number
  readonly to: Uint32Array
}

/** What is at these indexes. */
function gather(from: Codes, { indexes: at, length, to }: Gathering): Uint32Array {
  for (let index = 0; index < length; index++) to[index] = from[at[index] as number] as number
  return to
}
