import type { Columns, Segment } from '../../columns/columns.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import { type Charges, createChargeReader } from './charges.ts'
import { EVER, takeCharges } from './passes.ts'
import type { RevenueQuery } from './query.ts'
import { keyOfRules } from './rules-key.ts'

/** Indexes of users' first payments ever, ascending, by segment key. Several at one instant all count. */
export type FirstPayments = ReadonlyMap<string, Uint16Array>

/** Finds first payments in any currency, whatever a question's filters. They are cached until anything changes. */
export function* firstPayments(
  columns: Columns,
  { rules }: Pick<RevenueQuery, 'rules'>,
): Generator<void, FirstPayments> {
  const payments = rules.filter(({ kind }) => kind !== 'refund')
  const isPaid = new Set(payments.map(({ event }) => event))
  // Includes refunds: a rule for refunds may precede a rule for payments, and match its events.
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
  const reader = createChargeReader({ columns, rules, filters: [], currency: null })
  const ofRules = new Map(rules.map((rule) => [rule, new FirstOfRule(columns.userCount)]))
  const found = new Map<string, Uint16Array>()
  yield* takeCharges(reader, columns.slicesOf(reader.names, EVER), (charges, { segment: { key } }) => {
    if (charges.isRefund) return
    const own = (ofRules.get(charges.rule) as FirstOfRule).add(charges)
    found.set(key, inOrder(found.get(key) ?? NONE, own))
  })
  const used = [...ofRules.values()].filter(({ isUsed }) => isUsed)
  const areAllFirst = used.length <= 1 && used.every(({ isInOrder }) => isInOrder)
  return areAllFirst ? found : yield* earliestAmong(columns, reader.names, found)
}

/** Reduces the first payments of each rule to those of all rules. */
function* earliestAmong(
  columns: Columns,
  names: readonly string[],
  found: FirstPayments,
): Generator<void, FirstPayments> {
  const earliest = new Float64Array(columns.userCount).fill(Number.POSITIVE_INFINITY)
  for (const { segment } of columns.slicesOf(names, EVER)) {
    keepEarliest(segment, found.get(segment.key) ?? NONE, earliest)
    yield
  }
  const left = new Map<string, Uint16Array>()
  for (const { segment } of columns.slicesOf(names, EVER)) {
    const { key, users, times } = segment
    const own = found.get(key) ?? NONE
    left.set(
      key,
      own.filter((index) => times[index] === earliest[users[index] as number]),
    )
    yield
  }
  return left
}

function keepEarliest({ users, times }: Segment, indexes: Uint16Array, earliest: Float64Array): void {
  for (const index of indexes) {
    const user = users[index] as number
    earliest[user] = Math.min(earliest[user] as number, times[index] as number)
  }
}

const NONE = new Uint16Array(0)

/** Joins the indexes of two rules, in order. */
function inOrder(a: Uint16Array, b: Uint16Array): Uint16Array {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  return Uint16Array.from([...a, ...b]).sort()
}

/** Remembers who has paid so far by one rule, whose payments come in order of time. */
class FirstOfRule {
  readonly #hasPaid: Uint8Array
  #lastTime = Number.NEGATIVE_INFINITY
  /** Whether payments came in order. If not, the results may contain others besides first payments. */
  isInOrder = true

  constructor(users: number) {
    this.#hasPaid = new Uint8Array(users)
  }

  get isUsed(): boolean {
    return this.#lastTime > Number.NEGATIVE_INFINITY
  }

  /** Returns the indexes of payments by users who had not paid before. */
  add({ from, ...charges }: Charges): Uint16Array {
    const [users, times] = [charges.users(), charges.times()]
    // An erased name that came again may have events of both, and payments of one instant may be in two segments.
    if ((times[0] as number) <= this.#lastTime) this.#beginAgain()
    this.#lastTime = times.at(-1) as number
    const firsts = withTies(newUsers(users, this.#hasPaid), users, times)
    return toIndexes(firsts, from ?? charges.indexes())
  }

  #beginAgain(): void {
    this.#hasPaid.fill(0)
    this.isInOrder = false
  }
}

/** Adds payments at the instant of a user's first: all count. Events of one instant are ordered by user. */
function withTies(firsts: Uint16Array, users: Uint32Array, times: Float64Array): Uint16Array {
  const isTied = (at: number) => users[at + 1] === users[at] && times[at + 1] === times[at]
  if (!firsts.some(isTied)) return firsts
  const all: number[] = []
  for (const first of firsts) {
    all.push(first)
    for (let at = first; isTied(at); at++) all.push(at + 1)
  }
  return Uint16Array.from(all)
}

/** Converts charges to indexes of events, given where charges begin or all their indexes. Works in place. */
function toIndexes(charges: Uint16Array, indexes: number | Uint32Array): Uint16Array {
  for (let at = 0; at < charges.length; at++) {
    const charge = charges[at] as number
    charges[at] = typeof indexes === 'number' ? indexes + charge : (indexes[charge] as number)
  }
  return charges
}

const room = new Uint16Array(2 ** 16)

/** Indexes of users without a mark, who get one. It has no branches: processors cannot predict who is new. */
function newUsers(users: Uint32Array, marks: Uint8Array): Uint16Array {
  let count = 0
  for (let at = 0; at < users.length; at++) {
    const user = users[at] as number
    room[count] = at
    count += 1 - (marks[user] as number)
    marks[user] = 1
  }
  return room.slice(0, count)
}

function bytesOf(found: FirstPayments): number {
  return found.values().reduce((sum, { byteLength }) => sum + byteLength + 200, 0)
}
