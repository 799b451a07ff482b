import type { Decimal } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { mark } from '../../columns/flat-arrays.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createDayChargeReader } from '../revenue/day-charges.ts'
import { LaneSums, laneRoom } from '../revenue/lane-sums.ts'
import { EVER, takeCharges } from '../revenue/passes.ts'
import { type Cohort, OUTSIDER } from './cohort.ts'

/** The rules that define payments, and the currency to report. */
export interface ChargesAsked {
  readonly rules: readonly RevenueRule[]
  readonly currency: string
}

interface FoundCharges {
  /** One byte per user: 1 if the user has paid. */
  readonly hasPaid: Uint8Array
  /** Net revenue of a group. */
  netOf(group: number): Decimal
}

/** Finds who has paid in a currency, and the net revenue of each group of a cohort. */
export function* chargesOf(
  columns: Columns,
  asked: ChargesAsked,
  { groupOf, count }: Cohort,
): Generator<void, FoundCharges> {
  const reader = createDayChargeReader({ columns, ...asked, filters: [] })
  const hasPaid = new Uint8Array(columns.userCount)
  // One more sum, the first, is for users outside the cohort.
  const sums = new LaneSums(count + 1)
  yield* takeCharges(reader, columns.slicesOf(reader.names, EVER), (charges) => {
    const users = charges.users()
    findLanes(users, groupOf)
    sums.add(charges.amounts(), laneRoom, charges.isRefund ? -1 : 1)
    if (!charges.isRefund) mark(hasPaid, users)
  })
  return { hasPaid, netOf: (group) => sums.sumOf(group - OUTSIDER) }
}

function findLanes(users: Uint32Array, groupOf: Int32Array): void {
  for (let at = 0; at < users.length; at++) laneRoom[at] = (groupOf[users[at] as number] as number) - OUTSIDER
}
