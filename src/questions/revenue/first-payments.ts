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
  const reader = createChargeReader({ columns, rules, filters: [], ordinalOf: () => 0 })
  const earliest = new EarliestPayments(columns.userCount)
  const found = new Map<string, Uint16Array>()
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, EVER)) {
    const own = Array.from(reader.of(slice), (charges) => (charges.isRefund ? NONE : earliest.add(charges)))
    found.set(slice.segment.key, inOrder(own))
    if (pace.isDue(slice.to - slice.from)) yield
  }
  if (!earliest.isOutdated) return found
  for (const { segment, from, to } of columns.slicesOf(reader.names, EVER)) {
    const own = found.get(segment.key) ?? NONE
    found.set(segment.key, earliest.stillFirst(segment, own))
    if (pace.isDue(to - from)) yield
  }
  return found
}

const NONE = new Uint16Array(0)

/** Of several rules. */
function inOrder(lists: readonly Uint16Array[]): Uint16Array {
  const [only = NONE, ...others] = lists.filter(({ length }) => length > 0)
  return others.length === 0 ? only : Uint16Array.from([only, ...others].flatMap((list) => [...list])).sort()
}

/** When each user first paid, as far as payments were added. */
class EarliestPayments {
  readonly #times: Float64Array
  readonly #indexes = new Uint16Array(2 ** 16)
  /** Whether a payment came before one that was returned as a first one. Those of one name come in order of time. */
  isOutdated = false

  constructor(users: number) {
    this.#times = new Float64Array(users).fill(Number.POSITIVE_INFINITY)
  }

  /** Returns the indexes of those before which nothing was paid so far. */
  add({ length, from, ...charges }: Charges): Uint16Array {
    const [users, times] = [charges.users(), charges.times()]
    const all = from === null ? charges.indexes() : null
    const [earliest, found] = [this.#times, this.#indexes]
    let count = 0
    for (let at = 0; at < length; at++) {
      const user = users[at] as number
      const time = times[at] as number
      const known = earliest[user] as number
      if (time > known) continue
      if (time < known && known !== Number.POSITIVE_INFINITY) this.isOutdated = true
      earliest[user] = time
      found[count++] = all ? (all[at] as number) : (from as number) + at
    }
    return found.slice(0, count)
  }

  stillFirst({ users, times }: Segment, indexes: Uint16Array): Uint16Array {
    return indexes.filter((index) => times[index] === this.#times[users[index] as number])
  }
}

function bytesOf(found: FirstPayments): number {
  return found.values().reduce((sum, { byteLength }) => sum + byteLength + 200, 0)
}
