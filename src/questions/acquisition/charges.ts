import type { Decimal } from '../../base/decimal.ts'
import type { Columns } from '../../columns/columns.ts'
import { mark } from '../../columns/flat-arrays.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createPace } from '../engine/pace.ts'
import { LaneSums } from '../revenue/charge-sums.ts'
import { createDayChargeReader } from '../revenue/day-charges.ts'
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

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Finds who has paid in a currency, and the net revenue of each group of a cohort. */
export function* chargesOf(
  columns: Columns,
  { rules, currency }: ChargesAsked,
  { groupOf, count }: Cohort,
): Generator<void, FoundCharges> {
  const reader = createDayChargeReader({ columns, rules, filters: [], currency })
  const hasPaid = new Uint8Array(columns.userCount)
  // One more sum, the first, is for users outside the cohort.
  const sums = new LaneSums(count + 1)
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, EVER)) {
    yield* reader.prepare(slice)
    for (const charges of reader.of(slice).charges) {
      if (charges.currency !== currency) continue
      const users = charges.users()
      const { codes, groups } = charges.amounts()
      const sign = charges.isRefund ? -1 : 1
      for (const { scale, digits } of groups) {
        addUp({ users, groupOf, codes, digits, sign }, sums.at(scale, charges.count))
      }
      if (!charges.isRefund) mark(hasPaid, users)
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return { hasPaid, netOf: (group) => sums.sumOf(group - OUTSIDER) }
}

interface UserCharges {
  readonly users: Uint32Array
  readonly groupOf: Int32Array
  readonly codes: Uint16Array
  readonly digits: Int32Array
  readonly sign: number
}

/** Adds charges to groups, `OUTSIDER` first. In a generator, this loop would take three times as long. */
function addUp({ users, groupOf, codes, digits, sign }: UserCharges, sums: Float64Array): void {
  for (let at = 0; at < users.length; at++) {
    const lane = (groupOf[users[at] as number] as number) - OUTSIDER
    sums[lane] = (sums[lane] as number) + sign * (digits[codes[at] as number] as number)
  }
}
