import { ownerOf, requireEnterprise } from '../../access/access.ts'
import { findByHandle, listOwnApplications } from '../../accounts/applications/applications.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { toDate } from '../../base/time/days.ts'
import { SUCCESS, TIME_ZONE_HEADER } from '../../http/api/answers.ts'
import { readFigures } from '../daily-figures/figures.ts'
import { AS_OF_HEADER } from '../engine/as-of.ts'
import { question } from '../engine/question.ts'
import { getPremiumDistribution, listAvailableHandles, PREMIUM_DAYS } from './contract.ts'

export const getPremiumDistributionRoute = question(
  getPremiumDistribution,
  async ({ path }, { db, questions, env, now, access, setHeader }) => {
    requireEnterprise(access)
    const { id: applicationId, objects, timeZone, handle } = await findByHandle(db, path.handle, ownerOf(access))
    const calendar = calendarOf(timeZone)
    const to = calendar.dayOf(now)
    const period = { from: to - PREMIUM_DAYS + 1, to }
    const figures = await readFigures({ applicationId, objects, calendar, ...period }, { questions, env, now })
    setHeader(AS_OF_HEADER, figures.asOf)
    setHeader(TIME_ZONE_HEADER, timeZone)
    const data = figures.data.map(({ day, premiumUsers, nonPremiumUsers }) => ({
      date: `${toDate(day)}T00:00:00Z`,
      premium_users: premiumUsers,
      non_premium_users: nonPremiumUsers,
    }))
    return { handle, data, ...SUCCESS }
  },
)

export const listAvailableHandlesRoute = question(listAvailableHandles, async (_input, { db, access }) => {
  requireEnterprise(access)
  return (await listOwnApplications(db, ownerOf(access))).map(({ handle }) => handle)
})
