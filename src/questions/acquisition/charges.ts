import type { Decimal } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createPace } from '../pace.ts'
import { NetSums, toDecimal } from '../revenue/charge-sums.ts'
import { createDayChargeReader } from '../revenue/day-charges.ts'
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
  const reader = createDayChargeReader({ columns, rules, filters: [], currency })
  const sums = new NetSums()
  const hasPaid = new Uint8Array(columns.userCount)
  const ofGroups = new Float64Array(count)
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, EVER)) {
    for (const charges of reader.of(slice).charges) {
      if (charges.currency !== currency) continue
      for (const { scale, byUser } of charges.amounts) {
        addUp({ users: charges.users, byUser, groupOf }, ofGroups)
        for (const user of charges.users) {
          const group = groupOf[user] as number
          const sum = ofGroups[group] ?? 0
          if (sum === 0) continue
          sums.of(charges).addTo(group, toDecimal(sum, scale))
          ofGroups[group] = 0
        }
      }
      if (!charges.isRefund) for (const user of charges.users) hasPaid[user] = 1
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return { hasPaid, netOf: (group) => sums.netOf(group) }
}

interface PaidByUsers {
  readonly users: Uint32Array
  readonly byUser: Float64Array
  readonly groupOf: Int32Array
}

/** By group; nobody outside the cohort counts. */
function addUp({ users, byUser, groupOf }: PaidByUsers, sums: Float64Array): void {
  for (let index = 0; index < users.length; index++) {
    const group = groupOf[users[index] as number] as number
    if (group !== OUTSIDER) sums[group] = (sums[group] as number) + (byUser[index] as number)
  }
}
