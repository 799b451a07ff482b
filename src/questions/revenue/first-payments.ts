import type { Columns, Segment } from '../../columns/columns.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import { createPace } from '../pace.ts'
import { type Charges, createChargeReader } from './charges.ts'
import type { RevenueQuery } from './query.ts'
import { keyOfRules } from './rules-key.ts'

/** By the key of a segment: the indexes of its events that are a user's first payment ever, ascending. Of several at one instant, each is. */
export type FirstPayments = ReadonlyMap<string, Uint16Array>

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** In any currency, whatever the filters of a question. They are found again once anything has changed. */
export function* firstPayments(
  columns: Columns,
  { rules }: Pick<RevenueQuery, 'rules'>,
): Generator<void, FirstPayments> {
  const payments = rules.filter(({ kind }) => kind !== 'refund')
  const isPaid = new Set(payments.map(({ event }) => event))
  // Refunds as well: a rule for one may come before a rule for payments, and take its events.
  const relevant = rules.filter(({ event }) => isPaid.has(event))
  const ofRules = keyOfRules(relevant)
  if (ofRules === null) return yield* findFirst(columns, relevant)
  const segments = Iterator.from(columns.slicesOf([...isPaid], EVER)).map(({ segment }) => segment.key)
  const key = `first payments ${ofRules} ${[...segments].join()}`
  const known = segmentCache.get<FirstPayments>(key)
  if (known) return known
  const found = yield* findFirst(columns, relevant)
  segmentCache.set(key, found, bytesOf(found) + 2 * key.length)
  return found
}

function* findFirst(columns: Columns, rules: RevenueQuery['rules']): Generator<void, FirstPayments> {
  const firsts = new Float64Array(columns.userCount).fill(Number.POSITIVE_INFINITY)
  yield* forPayments(columns, rules, (charges) => keepEarliest(charges, firsts))
  const found = new Map<string, number[]>()
  yield* forPayments(columns, rules, (charges, { key }) => {
    const own = found.get(key) ?? []
    found.set(key, own)
    addFirst(charges, firsts, own)
  })
  return new Map(Array.from(found, ([key, indexes]) => [key, Uint16Array.from(indexes).sort()]))
}

function* forPayments(
  columns: Columns,
  rules: RevenueQuery['rules'],
  take: (charges: Charges, segment: Segment) => void,
): Generator<void, void> {
  const reader = createChargeReader({ columns, rules, filters: [], ordinalOf: () => 0 })
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, EVER)) {
    for (const charges of reader.of(slice)) if (!charges.isRefund) take(charges, slice.segment)
    if (pace.isDue(slice.to - slice.from)) yield
  }
}

function keepEarliest({ length, ...charges }: Charges, firsts: Float64Array): void {
  const [users, times] = [charges.users(), charges.times()]
  for (let at = 0; at < length; at++) {
    const user = users[at] as number
    const time = times[at] as number
    if (time < (firsts[user] as number)) firsts[user] = time
  }
}

function addFirst({ length, ...charges }: Charges, firsts: Float64Array, found: number[]): void {
  const [users, times, indexes] = [charges.users(), charges.times(), charges.indexes()]
  for (let at = 0; at < length; at++) {
    if (times[at] === firsts[users[at] as number]) found.push(indexes[at] as number)
  }
}

function bytesOf(found: FirstPayments): number {
  return found.values().reduce((sum, { byteLength }) => sum + byteLength + 200, 0)
}
