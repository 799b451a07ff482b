import { boundsOf, type Interval } from '../../base/time/intervals.ts'
import type { Period } from '../../base/time/period.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { groupFields, nameOf } from '../engine/groups.ts'
import type { Asking } from '../engine/report.ts'
import { intervalsAt } from '../retention/finished.ts'
import { answerCurrencies } from '../revenue/answer.ts'
import { askForLtv } from './ltv.ts'
import { toLtvMatrix } from './matrix.ts'

interface LtvParams {
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  readonly groupBy: EventProperty | null
  /** The currency; null for the one with the most payments. */
  readonly currency: string | null
  readonly period: Period
  readonly interval: Interval
  readonly today: number
}

export async function answerLtv(asked: LtvParams, asking: Asking) {
  const { rules, filters, groupBy, currency, period, interval, today } = asked
  const bounds = boundsOf(period, interval, today)
  // Filters apply to first events, not to payments.
  const { from = period.from, end = period.to + 1 } = { from: bounds[0], end: bounds.at(-1) }
  const found = await answerCurrencies({ rules, filters: [], from, to: end - 1 }, currency, asking)
  const cohorts = { startEvent: null, returnEvent: null, mode: 'n', filters, groupBy, bounds, groups: null } as const
  const intervals = intervalsAt(cohorts, today)
  const { all, groups, total } = await askForLtv({ cohorts, rules, currency: found.currency }, asking)
  return {
    ...toLtvMatrix(all, intervals),
    ...found,
    groups: groups.map((group) => ({ name: nameOf(group.values), ...toLtvMatrix(group, intervals) })),
    ...groupFields({ total }),
  }
}
