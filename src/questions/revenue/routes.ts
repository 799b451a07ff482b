import { applicationOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { answerRevenue } from './answer.ts'
import { getRevenue } from './contract.ts'
import { payers } from './counts.ts'
import { revenueCurrenciesReport } from './currencies.ts'
import { groupGrossReport } from './largest-groups.ts'
import { revenueReport } from './revenue.ts'
import { ruleMatchesReport } from './rule-matches.ts'
import { savedRevenue } from './saved.ts'
import { userRevenueReport } from './user-revenue.ts'

export const getRevenueRoute = question(
  getRevenue,
  async ({ query: params }, asking) => {
    const { id } = applicationOf(asking.access)
    const { rules } = await readRevenueRules(asking.db, id)
    const [grouped] = params.group_by
    const { calendar, period, before } = asking
    const { filters, currency = null } = params
    const asked = { rules, filters, currency, groupBy: grouped?.property ?? null, ...period, before }
    const answer = await answerRevenue(asked, asking)
    return { ...answer, groupBy: grouped?.name ?? '', time_zone: calendar.timeZone, ...SUCCESS }
  },
  {
    reports: [revenueReport, revenueCurrenciesReport, groupGrossReport, ruleMatchesReport, userRevenueReport],
    users: payers,
    saved: savedRevenue,
  },
)
