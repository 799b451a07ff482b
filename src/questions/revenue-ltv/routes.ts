import { applicationOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { groupSizesReport } from '../retention/group-sizes.ts'
import { intervalPeriodFaults } from '../retention/interval-period.ts'
import { revenueCurrenciesReport } from '../revenue/currencies.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { answerLtv } from './answer.ts'
import { analyzeRevenueLtv } from './contract.ts'
import { ltvUsers, revenueLtvReport } from './ltv.ts'

export const analyzeRevenueLtvRoute = question(
  analyzeRevenueLtv,
  async ({ query: params }, asking) => {
    const { rules } = await readRevenueRules(asking.db, applicationOf(asking.access).id)
    const [grouped] = params.group_by
    const { filters, interval, currency = null } = params
    const today = asking.calendar.dayOf(asking.now)
    const asked = {
      rules,
      filters,
      currency,
      interval,
      today,
      groupBy: grouped?.property ?? null,
      period: asking.period,
    }
    return { data: [{ ...(await answerLtv(asked, asking)), groupBy: grouped?.name ?? '' }], ...SUCCESS }
  },
  {
    reports: [revenueLtvReport, revenueCurrenciesReport, groupSizesReport],
    users: ltvUsers,
    findFaults: intervalPeriodFaults,
  },
)
