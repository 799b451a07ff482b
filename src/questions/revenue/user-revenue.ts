import { add, type Decimal, subtract, ZERO } from '../../base/decimal.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Columns } from '../../columns/columns.ts'
import { openDictionary } from '../../columns/selection/dictionary.ts'
import { WHOLE } from '../../columns/selection/share.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createPace } from '../engine/pace.ts'
import type { Report } from '../engine/report.ts'
import { ChargeSums } from './charge-sums.ts'
import { type Charges, createChargeReader } from './charges.ts'
import { digitsOf } from './currency.ts'

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
  const dictionary = openDictionary(WHOLE)
  const reader = createChargeReader({ columns, rules, filters: [], ordinalOf: (code) => dictionary.ordinalOf([code]) })
  const codeOf = (lane: number) => dictionary.valuesOf(lane)[0] as string
  const found = new Map<string, UserRevenue>()
  const pace = createPace()
  for (const slice of columns.slicesOf(reader.names, { from: 0, to: Number.MAX_SAFE_INTEGER })) {
    yield* reader.prepare(slice)
    for (const charges of reader.of(slice)) {
      const indexes = [...indexesOf(user, charges)]
      const [codes, { ordinals }] = [charges.currencyCodes(), charges.currencies]
      for (const index of indexes) {
        const currency = codeOf(ordinals[codes[index] as number] as number)
        const known = found.get(currency) ?? { currency, payments: 0, gross: ZERO, net: ZERO }
        found.set(currency, addCharge(known, charges, index))
      }
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
  return [...found.values()]
}

function* indexesOf(user: number, { length, ...charges }: Charges): Generator<number> {
  const users = charges.users()
  for (let index = 0; index < length; index++) if (users[index] === user) yield index
}

function addCharge({ currency, payments, gross, net }: UserRevenue, charges: Charges, index: number): UserRevenue {
  const { isRefund } = charges
  const amounts = charges.amounts()
  const sums = new ChargeSums()
  sums.add(
    { ...charges, length: 1, amounts: amounts.subarray(index, index + 1) },
    { lanes: null, cellOf: () => 0, digitsOf: () => digitsOf(currency) },
  )
  const amount = sums.sumOf(0)
  if (isRefund) return { currency, payments, gross, net: subtract(net, amount) }
  return { currency, payments: payments + 1, gross: add(gross, amount), net: add(net, amount) }
}
