import { compareDecimals, parseDecimal, ZERO } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { allDays, type CohortCondition } from '../engine/cohort-rule.ts'
import { createPace } from '../engine/pace.ts'
import { LaneSums } from '../revenue/charge-sums.ts'
import { createDayChargeReader, type DayCharges } from '../revenue/day-charges.ts'

type RevenueCondition = Extract<CohortCondition<Period | null>, { readonly type: 'revenue' }>

/** The number of users whose exact sums are held at a time: at most about 20 MB. */
const USERS_AT_ONCE = 65_536

const MEETS: Readonly<Record<RevenueCondition['op'], (order: number) => boolean>> = {
  is: (order) => order === 0,
  greater: (order) => order > 0,
  'greater or equal': (order) => order >= 0,
  less: (order) => order < 0,
  'less or equal': (order) => order <= 0,
}

/** One byte per user: 1 if payments minus refunds meet the condition; users who paid nothing have 0. */
export function* findByRevenue(
  columns: Columns,
  { op, amount, currency, within }: RevenueCondition,
  rules: readonly RevenueRule[],
): Generator<void, Uint8Array> {
  const limit = parseDecimal(String(amount)) ?? ZERO
  const isMet = MEETS[op]
  const passing = new Uint8Array(columns.userCount).fill(Number(isMet(compareDecimals(ZERO, limit))))
  const days = within ?? allDays(columns.calendar, columns.names())
  const span = spanOf(columns.calendar, days)
  const pace = createPace()
  const reader = createDayChargeReader({ columns, rules, filters: [], currency })
  for (let first = 0; first < columns.userCount; first += USERS_AT_ONCE) {
    const sums = new LaneSums(USERS_AT_ONCE)
    for (const slice of columns.slicesOf(reader.names, span)) {
      yield* reader.prepare(slice)
      for (const charges of reader.of(slice).charges) {
        if (charges.currency === currency && isWithin(charges.day, days)) addUsers(sums, charges, first)
      }
      if (pace.isDue(slice.to - slice.from)) yield
    }
    for (const lane of sums.cells()) {
      passing[first + lane] = Number(isMet(compareDecimals(sums.sumOf(lane), limit)))
    }
  }
  return passing
}

/** Adds what users from `first` on paid, minus refunds. */
function addUsers(sums: LaneSums, charges: DayCharges, first: number): void {
  const users = charges.users()
  const { codes, groups } = charges.amounts()
  const sign = charges.isRefund ? -1 : 1
  for (const { scale, digits } of groups) {
    const own = sums.at(scale, charges.count)
    for (let at = 0; at < users.length; at++) {
      const lane = (users[at] as number) - first
      if (lane >= 0 && lane < USERS_AT_ONCE)
        own[lane] = (own[lane] as number) + sign * (digits[codes[at] as number] as number)
    }
  }
}

function isWithin(day: number, { from, to }: Period): boolean {
  return day >= from && day <= to
}
