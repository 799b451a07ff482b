import { compareDecimals, parseDecimal, ZERO } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { allDays, type CohortCondition } from '../engine/cohort-rule.ts'
import { createDayChargeReader } from '../revenue/day-charges.ts'
import { LaneSums, laneRoom } from '../revenue/lane-sums.ts'
import { takeCharges } from '../revenue/passes.ts'

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
  const reader = createDayChargeReader({ columns, rules, filters: [], currency })
  for (let first = 0; first < columns.userCount; first += USERS_AT_ONCE) {
    // One more sum, the last, is for all other users.
    const sums = new LaneSums(USERS_AT_ONCE + 1)
    yield* takeCharges(reader, columns.slicesOf(reader.names, span), (charges) => {
      findLanes(charges.users(), first)
      sums.add(charges.amounts(), laneRoom, charges.isRefund ? -1 : 1)
    })
    for (const lane of sums.lanes()) {
      if (lane < USERS_AT_ONCE) passing[first + lane] = Number(isMet(compareDecimals(sums.sumOf(lane), limit)))
    }
  }
  return passing
}

function findLanes(users: Uint32Array, first: number): void {
  for (let at = 0; at < users.length; at++) {
    const lane = (users[at] as number) - first
    laneRoom[at] = lane >= 0 && lane < USERS_AT_ONCE ? lane : USERS_AT_ONCE
  }
}
