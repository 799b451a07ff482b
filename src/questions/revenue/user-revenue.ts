import { add, type Decimal, subtract, ZERO } from '../../base/decimal.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createPace } from '../engine/pace.ts'
import type { Report } from '../engine/report.ts'
import { type Charges, createChargeReader } from './charges.ts'
import { splitByCurrency } from './charges-by-currency.ts'
import { sumOfCharges } from './lane-sums.ts'
import { EVER } from './passes.ts'

interface UserRevenueQuery {
  readonly rules: readonly RevenueRule[]
  readonly telegramId: number
}

/** What a user has ever paid in one currency. */
export interface UserRevenue {
  readonly currency: string
  readonly payments: number
  readonly gross: Decimal
  readonly net: Decimal
}

/** Revenue of a user by currency, for the user's page: most payments first, ties by code. */
export const userRevenueReport: Report<UserRevenueQuery, readonly UserRevenue[], readonly UserRevenue[]> = {
  name: 'revenue of a user',
  part: addUpUser,
  // All events of a user are in one part.
  result: (parts) => parts.flat().sort((a, b) => b.payments - a.payments || compareTexts(a.currency, b.currency)),
}

function* addUpUser(columns: Columns, { rules, telegramId }: UserRevenueQuery): Generator<void, UserRevenue[]> {
  const user = columns.userOf(telegramId)
  if (user === null) return []
  const reader = createChargeReader({ columns, rules, filters: [], currency: null })
  const found = new Map<string, UserRevenue>()
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, EVER)) {
    const own = indexesOf(user, slice)
    if (own.length > 0) {
      yield* reader.prepare(slice)
      for (const charges of reader.of(slice, own)) addCharges(found, charges)
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return [...found.values()]
}

function indexesOf(user: number, { segment: { users }, from, to }: SegmentSlice): Uint16Array {
  const indexes: number[] = []
  for (let index = users.indexOf(user, from); index >= 0 && index < to; index = users.indexOf(user, index + 1)) {
    indexes.push(index)
  }
  return Uint16Array.from(indexes)
}

function addCharges(found: Map<string, UserRevenue>, charges: Charges): void {
  for (const { currency, amounts } of splitByCurrency(charges)) {
    const { payments, gross, net } = found.get(currency) ?? NOTHING
    const sum = sumOfCharges(amounts)
    const own = charges.isRefund
      ? { payments, gross, net: subtract(net, sum) }
      : { payments: payments + amounts.codes.length, gross: add(gross, sum), net: add(net, sum) }
    found.set(currency, { currency, ...own })
  }
}

const NOTHING = { payments: 0, gross: ZERO, net: ZERO }
