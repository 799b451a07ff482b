import { toName } from '../../base/text/text.ts'
import type { Columns, Segment, SegmentSlice } from '../../columns/columns.ts'
import type { Codes } from '../../columns/flat-arrays.ts'
import { type Filter, parseProperty } from '../../columns/selection/filter.ts'
import type { Grouping } from '../../columns/selection/grouping.ts'
import { type Mask, masksFor } from '../../columns/selection/masks.ts'
import { perRows } from '../../columns/selection/rows.ts'
import { narrow, narrowFurther } from '../../columns/selection/selection.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import {
  type AmountTable,
  amountReader,
  type ChargeAmounts,
  type Currencies,
  currencyReader,
  inMajorUnits,
  STATES,
} from './amount-tables.ts'

/** Payments, or refunds, in one slice of events by one rule. */
export interface Charges {
  readonly rule: RevenueRule
  readonly isRefund: boolean
  readonly count: number
  readonly currencies: Currencies
  /** Where the charges begin in their segment, if all events from there on are charges; else null. */
  readonly from: number | null
  /** The user of each charge. This and the following methods gather their results only when called. */
  users(): Uint32Array
  times(): Float64Array
  /** The charges' indexes in their segment. */
  indexes(): Uint32Array
  /** The ordinals of the charges' groups; null if nothing is grouped. */
  groups(): Uint32Array | null
  /** Codes of amounts. */
  amountCodes(): Uint16Array
  /** The digits of these codes' amounts, if charges are in this currency. */
  digitsIn(currency: string): ChargeAmounts['groups']
  /** Codes of currencies, as in `currencies`. */
  currencyCodes(): Uint16Array
}

export interface ChargesParams {
  readonly columns: Columns
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  readonly grouping?: Grouping | null
  /** The only currency that counts; null for all. */
  readonly currency: string | null
}

export interface ChargeReader<C = Charges> {
  /** The names of events that rules refer to. */
  readonly names: readonly string[]
  /** Tests the values of a slice, and yields between some of them. */
  prepare(slice: Pick<SegmentSlice, 'name' | 'segment'>): Generator<void>
  /** Reads the charges of a slice, or among some of its events. Each may overwrite what the last one gathered. */
  of(slice: SegmentSlice, among?: Uint16Array): Iterable<C>
  /** The number of events so far that match a rule but have no valid amount or currency. */
  readonly skipped: number
}

/** The amounts of charges that are all in this currency. */
export function amountsIn(charges: Charges, currency: string): ChargeAmounts {
  return { codes: charges.amountCodes(), groups: charges.digitsIn(currency) }
}

interface OpenRule {
  readonly rule: RevenueRule
  /** Masks that the rule's events pass; null if none can pass. */
  readonly passable: ReturnType<typeof masksFor>
  readonly amountsOf: (segment: Segment) => AmountTable
  readonly currenciesOf: (segment: Segment) => Currencies
}

export function createChargeReader(params: ChargesParams): ChargeReader {
  const { columns, rules, filters, grouping = null, currency } = params
  const open = rules.map(
    (rule): OpenRule => ({
      rule,
      passable: passableMasks(columns, { filters: [...rule.filters.map(toFilter), ...filters], grouping }),
      amountsOf: amountReader(rule.amount),
      currenciesOf: currencyReader(rule.currency, currency),
    }),
  )
  const byName = Map.groupBy(open, ({ rule }) => toName(rule.event))
  let skipped = 0
  return {
    names: [...byName.keys()],
    *prepare({ name, segment }) {
      for (const { passable } of byName.get(name) ?? []) yield* passable.prepare(segment)
    },
    *of({ name, segment, from, to }, among) {
      makeRoom(to)
      const own = byName.get(name) ?? []
      const matching = own.flatMap((rule) => {
        const masks = rule.passable.of(segment)
        return masks ? [{ ...rule, masks }] : []
      })
      const isShared = matching.length > 1
      if (isShared) isTaken.fill(0, from, to)
      for (const { rule, masks, amountsOf, currenciesOf } of matching) {
        const found = findEvents(masks, { from, to, isShared, among })
        const [table, currencies] = [amountsOf(segment), currenciesOf(segment)]
        const usable = usableIn(found, table, currencies)
        skipped += usable.skipped
        if (usable.length > 0) yield chargesAt(segment, { rule, found: usable, table, currencies, grouping })
      }
    },
    get skipped() {
      return skipped
    },
  }
}

function toFilter({ prop, op, values }: RevenueRule['filters'][number]): Filter {
  const property = parseProperty(prop)
  if (!property) throw new TypeError(`no property is called ${prop}`)
  return { property, operator: op, values }
}

/** Masks of filters and groups; null if no row can pass all of them. */
function passableMasks(
  columns: Columns,
  { filters, grouping }: { filters: readonly Filter[]; grouping: Grouping | null },
): OpenRule['passable'] {
  const filtered = masksFor(columns, { filters, users: WHOLE })
  return {
    *prepare(rows) {
      yield* filtered.prepare(rows)
      if (grouping) yield* grouping.prepare(rows)
    },
    of: perRows((rows) => {
      const masks = filtered.of(rows)
      if (!masks) return null
      const groups = grouping?.of(rows)
      const all = groups?.mask ? [...masks, { codes: groups.codes, mask: groups.mask }] : masks
      return all.every(({ mask }) => mask.includes(1)) ? all : null
    }),
  }
}

// Buffers for one slice of events of one rule. All questions share them: nothing else runs until a slice's charges are
// counted.

/** One byte per event: 1 if a rule matched it. */
let isTaken = new Uint8Array(0)
/** Indexes of events in their segment. */
let indexes = new Uint32Array(0)
let gathered = newBuffers(0)

function newBuffers(length: number) {
  return {
    users: new Uint32Array(length),
    groups: new Uint32Array(length),
    times: new Float64Array(length),
    amounts: new Uint16Array(length),
    currencies: new Uint16Array(length),
  }
}

function makeRoom(length: number): void {
  if (indexes.length >= length) return
  isTaken = new Uint8Array(length)
  indexes = new Uint32Array(length)
  gathered = newBuffers(length)
}

interface FindParams {
  readonly from: number
  readonly to: number
  /** Whether other rules may match the same events. */
  readonly isShared: boolean
  readonly among: Uint16Array | undefined
}

/** Events of a segment: the first `length` of `indexes`, or a range that begins at `from`. */
type Found = { readonly length: number; readonly from: number; readonly isRange: boolean }

/** Finds events that a rule matches and no earlier one does. Filters hold for all rules, so hide no match. */
function findEvents(masks: readonly Mask[], { isShared, ...params }: FindParams): Found {
  const found = passingEvents(masks, params)
  return isShared ? takeEvents(listed(found)) : found
}

function passingEvents(masks: readonly Mask[], { from, to, among }: Omit<FindParams, 'isShared'>): Found {
  if (among) {
    indexes.set(among)
    const length = masks.reduce((left, mask) => narrowFurther(mask, indexes, left), among.length)
    return { length, from, isRange: false }
  }
  if (masks.length === 0) return { length: to - from, from, isRange: true }
  return { length: narrow(masks, from, to, indexes), from, isRange: false }
}

/** Converts found events to a list of indexes. */
function listed({ length, from, isRange }: Found): Found {
  for (let at = 0; isRange && at < length; at++) indexes[at] = from + at
  return { length, from, isRange: false }
}

/** Drops events that earlier rules matched, in place: writing never overtakes reading. */
function takeEvents(found: Found): Found {
  let length = 0
  for (let at = 0; at < found.length; at++) {
    const index = indexes[at] as number
    indexes[length] = index
    length += 1 - (isTaken[index] as number)
    isTaken[index] = 1
  }
  return { ...found, length }
}

/** Drops events without an amount, or without a wanted currency. */
function usableIn(found: Found, amounts: AmountTable, currencies: Currencies): Found & { readonly skipped: number } {
  if (!amounts.states && !currencies.states) return { ...found, skipped: 0 }
  const [amountStates, currencyStates] = [amounts.states ?? ALL_WANTED, currencies.states ?? ALL_WANTED]
  const some = listed(found)
  let [length, skipped] = [0, 0]
  for (let at = 0; at < some.length; at++) {
    const index = indexes[at] as number
    const amount = amountStates[amounts.codes[index] as number] as number
    const state = amount & (currencyStates[currencies.codes[index] as number] as number)
    indexes[length] = index
    length += state >>> 1
    skipped += 1 - (state & 1)
  }
  return { ...some, length, skipped }
}

const ALL_WANTED = new Uint8Array(2 ** 16).fill(STATES.wanted)

interface Charged extends Pick<Charges, 'rule' | 'currencies'> {
  readonly found: Found
  readonly table: AmountTable
  readonly grouping: Grouping | null
}

function chargesAt(segment: Segment, { rule, found, table, currencies, grouping }: Charged): Charges {
  return {
    rule,
    isRefund: rule.kind === 'refund',
    count: found.length,
    currencies,
    from: found.isRange ? found.from : null,
    users: once(() => gather(segment.users, found, gathered.users)),
    times: once(() => gather(segment.times, found, gathered.times)),
    indexes: once(() => indexes.subarray(0, listed(found).length)),
    amountCodes: once(() => gather(table.codes, found, gathered.amounts)),
    digitsIn: (currency) => inMajorUnits(table, rule, currency),
    currencyCodes: once(() => gather(currencies.codes, found, gathered.currencies)),
    groups: once(() => {
      const groups = grouping?.of(segment)
      return groups ? lookUp(groups, found, gathered.groups) : null
    }),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The found events' items of an array: a view of a range, else a copy. */
function gather<A extends Uint32Array | Uint16Array | Float64Array>(
  all: A,
  { length, from, isRange }: Found,
  to: A,
): A {
  if (isRange) return all.subarray(from, from + length) as A
  for (let at = 0; at < length; at++) to[at] = all[indexes[at] as number] as number
  return to.subarray(0, length) as A
}

function lookUp({ codes, table }: { codes: Codes; table: Uint32Array }, found: Found, to: Uint32Array): Uint32Array {
  const { length, from, isRange } = found
  for (let at = 0; at < length; at++) {
    to[at] = table[codes[isRange ? from + at : (indexes[at] as number)] as number] as number
  }
  return to.subarray(0, length)
}
