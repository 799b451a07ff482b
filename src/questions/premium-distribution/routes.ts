import { ownerOf, requireEnterprise } from '../../access/access.ts'
import { findByHandle, listOwnApplications } from '../../accounts/applications/applications.ts'
import { toDate } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { readLastFigures } from '../daily-figures/figures.ts'
import { question } from '../engine/question.ts'
import { getPremiumDistribution, listAvailableHandles, PREMIUM_DAYS } from './contract.ts'

export const getPremiumDistributionRoute = question(getPremiumDistribution, async ({ path }, context) => {
  requireEnterprise(context.access)
  const application = await findByHandle(context.db, path.handle, ownerOf(context.access))
  const figures = await readLastFigures(application, PREMIUM_DAYS, context)
  const data = figures.map(({ day, premiumUsers, nonPremiumUsers }) => ({
    date: `${toDate(day)}T00:00:00Z`,
    premium_users: premiumUsers,
    non_premium_users: nonPremiumUsers,
  }))
  return { handle: application.handle, data, ...SUCCESS }
})

export const listAvailableHandlesRoute = question(listAvailableHandles, async (_input, { db, access }) => {
  requireEnterprise(access)
  return (await listOwnApplications(db, ownerOf(access))).map(({ handle }) => handle)
})
