import { applicationOf } from '../../access/access.ts'
import { dayOf } from '../../base/time/days.ts'
import { boundsOf } from '../../base/time/intervals.ts'
import type { Period } from '../../base/time/period.ts'
import type { EventProperty, Filter } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { nameOf } from '../groups.ts'
import { question } from '../operation.ts'
import type { Asking } from '../question.ts'
import { groupSizesReport } from '../retention/group-sizes.ts'
import { intervalPeriodFaults } from '../retention/routes.ts'
import { revenueCurrenciesReport } from '../revenue/currencies.ts'
import { answerCurrencies } from '../revenue/routes.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { analyzeRevenueLtv } from './contract.ts'
import { askForLtv, revenueLtvReport } from './ltv.ts'
import { toLtvMatrix } from './matrix.ts'

export const analyzeRevenueLtvRoute = question(
  analyzeRevenueLtv,
  async ({ query: params }, asking) => {
    const { rules } = await readRevenueRules(asking.db, applicationOf(asking.access).id)
    const [grouped] = params.group_by
    const { filters, interval, currency = null } = params
    const bounds = boundsOf(asking.period, interval, dayOf(asking.now))
    const asked = { rules, filters, currency, bounds, groupBy: grouped?.property ?? null, period: asking.period }
    return { data: [{ ...(await answerLtv(asked, asking)), groupBy: grouped?.name ?? '' }], ...SUCCESS }
  },
  { reports: [revenueLtvReport, revenueCurrenciesReport, groupSizesReport], findFaults: intervalPeriodFaults },
)

interface AskedLtv {
  readonly rules: readonly RevenueRule[]
  readonly filters: readonly Filter[]
  readonly groupBy: EventProperty | null
  /** Null for the one with the most payments. */
  readonly currency: string | null
  readonly period: Period
  /** The first day of each interval, and the day after the last one. */
  readonly bounds: readonly number[]
}

export async function answerLtv(asked: AskedLtv, asking: Asking) {
  const { rules, filters, groupBy, currency, bounds, period } = asked
  // Filters look at first events, not at payments.
  const { from = period.from, end = period.to + 1 } = { from: bounds[0], end: bounds.at(-1) }
  const found = await answerCurrencies({ rules, filters: [], from, to: end - 1 }, currency, asking)
  const cohorts = { startEvent: null, returnEvent: null, mode: 'n', filters, groupBy, bounds, groups: null } as const
  const { all, groups } = await askForLtv({ cohorts, rules, currency: found.currency }, asking)
  return {
    ...toLtvMatrix(all, bounds),
    ...found,
    groups: groups.map((group) => ({ name: nameOf(group.values), ...toLtvMatrix(group, bounds) })),
  }
}
