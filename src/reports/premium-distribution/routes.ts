import { requireEnterprise } from '../../accounts/access.ts'
import { Failure } from '../../errors.ts'
import { SUCCESS } from '../../http/openapi.ts'
import { operation } from '../../http/router.ts'
import { dayOf, toDate } from '../../time/days.ts'
import { AS_OF_HEADER, asOf } from '../as-of.ts'
import { figuresReport } from '../daily-figures/figures.ts'
import { run } from '../run.ts'
import { getPremiumDistribution, listAvailableHandles } from './contract.ts'
import { selectHandles } from './sql.ts'

const DAYS = 60

export const getPremiumDistributionRoute = operation(
  getPremiumDistribution,
  { header: 'x-api-key', scope: 'full' },
  async ({ path }, { db, now, access, setHeader }) => {
    requireEnterprise(access)
    const to = dayOf(now)
    const query = { handle: path.handle, accountId: access.accountId, from: to - DAYS + 1, to }
    const figures = await run(figuresReport, query, db)
    if (!figures) throw new Failure('not-found', 'No application of this account has this handle.')
    setHeader(AS_OF_HEADER, asOf(figures.waitingSince, now))
    const data = figures.days.map(({ day, premiumUsers, nonPremiumUsers }) => ({
      date: `${toDate(day)}T00:00:00Z`,
      premium_users: premiumUsers,
      non_premium_users: nonPremiumUsers,
    }))
    return { handle: figures.handle, data, ...SUCCESS }
  },
)

export const listAvailableHandlesRoute = operation(
  listAvailableHandles,
  { header: 'x-api-key', scope: 'full' },
  async (_input, { db, access }) => {
    requireEnterprise(access)
    const rows = await selectHandles(db, access.accountId)
    return rows.map(({ handle }) => handle)
  },
)
