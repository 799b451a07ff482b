import type { Decimal } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createPace } from '../pace.ts'
import { NetSums } from '../revenue/charge-sums.ts'
import { createChargeReader, onlyCurrency } from '../revenue/charges.ts'
import { digitsOf } from '../revenue/currency.ts'
import { type Cohort, OUTSIDER } from './cohort.ts'

/** What counts as a payment, and in which currency. */
export interface ChargesAsked {
  readonly rules: readonly RevenueRule[]
  readonly currency: string
}

interface FoundCharges {
  /** By user: 1 for those who have paid. */
  readonly hasPaid: Uint8Array
  /** Net revenue of a group. */
  netOf(group: number): Decimal
}

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** All charges of the users of a cohort, in one currency. */
export function* chargesOf(
  columns: Columns,
  { rules, currency }: ChargesAsked,
  { groupOf, count }: Cohort,
): Generator<void, FoundCharges> {
  const reader = createChargeReader({
    columns,
    rules,
    filters: [],
    ordinalOf: onlyCurrency(currency),
  })
  const sums = new NetSums()
  const hasPaid = new Uint8Array(columns.userCount)
  const digits = digitsOf(currency)
  const target = { cellOf: (lane: number) => lane, digitsOf: () => digits }
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, EVER)) {
    for (const charges of reader.of(slice)) {
      const users = charges.users().subarray(0, charges.length)
      const lanes = lanesOf(users, groupOf, count)
      sums.of(charges).add({ ...charges, amounts: charges.amounts() }, { ...target, lanes })
      if (!charges.isRefund) for (const user of users) hasPaid[user] = 1
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return { hasPaid, netOf: (group) => sums.netOf(group) }
}

/** The group of each charge's user; a lane of their own for everybody outside the cohort. */
function lanesOf(users: Uint32Array, groupOf: Int32Array, outside: number): Uint32Array {
  return users.map((user) => {
    const group = groupOf[user] as number
    return group === OUTSIDER ? outside : group
  })
}
