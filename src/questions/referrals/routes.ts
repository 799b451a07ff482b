import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { toIso } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { UNKNOWN_USER } from '../engine/contract.ts'
import { toEventName } from '../engine/event-name.ts'
import { question } from '../engine/question.ts'
import { answerCurrencies } from '../revenue/answer.ts'
import { revenueCurrenciesReport } from '../revenue/currencies.ts'
import { readRevenueRules } from '../revenue-rules/rules.ts'
import { ancestorsReport } from './ancestors.ts'
import { getReferrals, listUserReferrals } from './contract.ts'
import { invitedCountsReport } from './counts.ts'
import { goneFinder } from './gone.ts'
import { invitedListReport } from './invited-list.ts'
import { inviterFiguresReport } from './inviter-figures.ts'
import { askForReferrals, askForUserReferrals } from './referrals.ts'
import { referrersReport } from './referrers.ts'

export const getReferralsRoute = question(
  getReferrals,
  async ({ query: { activation_event: activation, currency: wanted } }, asking) => {
    const { period, calendar, now } = asking
    const { rules } = await readRevenueRules(asking.db, applicationOf(asking.access).id)
    const currency = wanted ?? (await answerCurrencies({ rules, filters: [], ...period }, null, asking)).currency
    const query = {
      activation: activation === undefined ? null : { event: toEventName(activation) },
      ...period,
      now,
      today: calendar.dayOf(now),
      charges: { rules, currency },
    }
    return {
      ...SUCCESS,
      ...(await askForReferrals(query, { ...asking, findGone: goneFinder(asking) })),
      currency,
      time_zone: calendar.timeZone,
    }
  },
  { reports: [referrersReport, ancestorsReport, invitedCountsReport, inviterFiguresReport, revenueCurrenciesReport] },
)

export const listUserReferralsRoute = question(
  listUserReferrals,
  async ({ path, query: { limit, offset } }, asking) => {
    const found = await askForUserReferrals(
      { telegramId: path.telegram_id, limit, offset },
      { ...asking, findGone: goneFinder(asking) },
    )
    if (!found) throw new Failure('not-found', UNKNOWN_USER)
    const { invitedBy, invited, total } = found
    const data = invited.map(({ telegramId, time }) => ({ telegram_id: telegramId, first_active_at: toIso(time) }))
    return { ...SUCCESS, limit, offset, total, invited_by: invitedBy, data }
  },
  { reports: [ancestorsReport, invitedListReport] },
)
