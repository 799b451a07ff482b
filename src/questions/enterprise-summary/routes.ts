import { ownerOf, requireEnterprise } from '../../access/access.ts'
import { findByHandle } from '../../accounts/applications/applications.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { askAbout } from '../engine/ask.ts'
import { question, setAnswerHeaders } from '../engine/question.ts'
import { getEnterpriseSummary } from './contract.ts'
import { enterpriseSummaryReport } from './enterprise-summary.ts'

export const getEnterpriseSummaryRoute = question(
  getEnterpriseSummary,
  async ({ path }, context) => {
    requireEnterprise(context.access)
    const application = await findByHandle(context.db, path.handle, ownerOf(context.access))
    const { timeZone } = application
    const period = resolvePeriod({}, calendarOf(timeZone).dayOf(context.now))
    const { asOf, data } = await askAbout(application, enterpriseSummaryReport, period, context)
    setAnswerHeaders({ asOf, timeZone }, context)
    const [below5 = 0, below10 = 0, below60 = 0, below300 = 0, longer = 0] = data.byLength
    return {
      data: {
        premium_users: data.premium,
        non_premium_users: data.nonPremium,
        zero_to_five_seconds: below5,
        five_to_ten_seconds: below10,
        eleven_to_sixty_seconds: below60,
        one_to_five_minutes: below300,
        five_plus_minutes: longer,
      },
      handle: application.handle,
      ...SUCCESS,
    }
  },
  { reports: [enterpriseSummaryReport] },
)
