import { compareDecimals, parseDecimal, ZERO } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { createPace } from '../pace.ts'
import { NetSums } from '../revenue/charge-sums.ts'
import { type Charges, createChargeReader, onlyCurrency } from '../revenue/charges.ts'
import { digitsOf } from '../revenue/currency.ts'
import { allDays, type CohortCondition } from './rule.ts'

type RevenueCondition = Extract<CohortCondition<Period | null>, { readonly type: 'revenue' }>

/** Users whose exact sums are held at once: at most about 20 MB. */
const USERS_AT_ONCE = 65_536

const MEETS: Readonly<Record<RevenueCondition['op'], (order: number) => boolean>> = {
  is: (order) => order === 0,
  greater: (order) => order > 0,
  'greater or equal': (order) => order >= 0,
  less: (order) => order < 0,
  'less or equal': (order) => order <= 0,
}

/** By user: 1 where payments less refunds compare so; who paid nothing has 0. */
export function* findByRevenue(
  columns: Columns,
  { op, amount, currency, within }: RevenueCondition,
  rules: readonly RevenueRule[],
): Generator<void, Uint8Array> {
  const limit = parseDecimal(String(amount)) ?? ZERO
  const isMet = MEETS[op]
  const passing = new Uint8Array(columns.userCount).fill(Number(isMet(compareDecimals(ZERO, limit))))
  const span = spanOf(columns.calendar, within ?? allDays(columns.calendar, columns.names()))
  const digits = digitsOf(currency)
  const pace = createPace()
  for (let first = 0; first < columns.userCount; first += USERS_AT_ONCE) {
    const sums = new NetSums()
    const reader = createChargeReader({ columns, rules, filters: [], ordinalOf: onlyCurrency(currency) })
    for (const slice of columns.slicesOf(reader.names, span)) {
      for (const charges of reader.of(slice)) {
        const { lanes, ...some } = ofUsers(charges, first)
        sums.of(charges).add({ ...charges, ...some }, { lanes, cellOf: (lane) => first + lane, digitsOf: () => digits })
      }
      if (pace.isDue(slice.to - slice.from)) yield
    }
    for (const user of sums.cells()) passing[user] = Number(isMet(compareDecimals(sums.netOf(user), limit)))
  }
  return passing
}

/** The charges of the users from one on, each in the lane of its user. */
function ofUsers(charges: Charges, first: number) {
  const [users, amounts, all] = [charges.users(), charges.amounts(), charges.length]
  const [lanes, own] = [new Uint32Array(all), new Uint16Array(all)]
  let length = 0
  for (let index = 0; index < all; index++) {
    const lane = (users[index] as number) - first
    if (lane < 0 || lane >= USERS_AT_ONCE) continue
    lanes[length] = lane
    own[length] = amounts[index] as number
    length++
  }
  return { length, lanes, amounts: own }
}
