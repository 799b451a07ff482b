import { ownerOf, requireEnterprise } from '../../access/access.ts'
import { findByHandle } from '../../accounts/applications/applications.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { askAbout } from '../ask.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { question } from '../operation.ts'
import { getEnterpriseSummary } from './contract.ts'
import { enterpriseSummaryReport } from './enterprise-summary.ts'

export const getEnterpriseSummaryRoute = question(
  getEnterpriseSummary,
  async ({ path }, context) => {
    requireEnterprise(context.access)
    const application = await findByHandle(context.db, path.handle, ownerOf(context.access))
    // Without parameters, the period is the last 30 days.
    const { asOf, data } = await askAbout(application, enterpriseSummaryReport, context.period, context)
    context.setHeader(AS_OF_HEADER, asOf)
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
