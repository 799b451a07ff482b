import { applicationOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { question } from '../engine/question.ts'
import { answerCurrencies } from '../revenue/answer.ts'
import { revenueCurrenciesReport } from '../revenue/currencies.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { askForAcquisition } from './acquisition.ts'
import { getAcquisition } from './contract.ts'
import { acquiredUsers, acquisitionReport } from './figures.ts'
import { peaksReport } from './peaks.ts'
import { acquiredSessionsReport } from './sessions.ts'
import { groupSizesReport } from './sizes.ts'

export const getAcquisitionRoute = question(
  getAcquisition,
  async ({ query: { by, activation_event: activation, currency: wanted, filters, limit, offset } }, asking) => {
    const { rules } = await readRevenueRules(asking.db, applicationOf(asking.access).id)
    const charged = { rules, filters: [], ...asking.period }
    const currency = wanted ?? (await answerCurrencies(charged, null, asking)).currency
    const query = {
      by,
      filters,
      activation: activation === undefined ? null : { event: toEventName(activation) },
      ...asking.period,
      today: asking.calendar.dayOf(asking.now),
      charges: { rules, currency },
      limit,
      offset,
    }
    const { all, data, total } = await askForAcquisition(query, asking)
    return {
      ...SUCCESS,
      limit,
      offset,
      total,
      groups_total: total,
      currency,
      all,
      data,
      time_zone: asking.calendar.timeZone,
    }
  },
  {
    reports: [groupSizesReport, acquisitionReport, acquiredSessionsReport, peaksReport, revenueCurrenciesReport],
    users: acquiredUsers,
  },
)
