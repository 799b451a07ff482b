import type { Columns } from '../../columns/columns.ts'
import { createPace } from '../pace.ts'
import { type Charges, createChargeReader } from './charges.ts'
import type { RevenueQuery } from './query.ts'

/** By user the time of the first payment ever, in any currency, whatever the filters; later than any time for who never paid. */
export function* firstPayments(
  columns: Columns,
  { rules }: Pick<RevenueQuery, 'rules'>,
  end: number,
): Generator<void, Float64Array> {
  const firsts = new Float64Array(columns.userCount).fill(Number.POSITIVE_INFINITY)
  const payments = rules.filter(({ kind }) => kind !== 'refund')
  const isPaid = new Set(payments.map(({ event }) => event))
  // Refunds as well: a rule for one may come before a rule for payments, and take its events.
  const relevant = rules.filter(({ event }) => isPaid.has(event))
  const reader = createChargeReader({ columns, rules: relevant, filters: [], ordinalOf: () => 0 })
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, { from: 0, to: end })) {
    for (const charges of reader.of(slice)) if (!charges.isRefund) keepEarliest(charges, firsts)
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return firsts
}

function keepEarliest({ length, ...charges }: Charges, firsts: Float64Array): void {
  const [users, times] = [charges.users(), charges.times()]
  for (let index = 0; index < length; index++) {
    const user = users[index] as number
    const time = times[index] as number
    if (time < (firsts[user] as number)) firsts[user] = time
  }
}
