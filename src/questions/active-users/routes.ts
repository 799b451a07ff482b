import { findByHandle } from '../../accounts/applications/applications.ts'
import { toDate } from '../../base/time/days.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { readLastFigures } from '../daily-figures/figures.ts'
import { question } from '../engine/question.ts'
import { getMonthlyActiveUsers } from './contract.ts'

export const getMonthlyActiveUsersRoute = question(getMonthlyActiveUsers, async ({ path, query }, context) => {
  const application = await findByHandle(context.db, path.handle)
  const figures = await readLastFigures(application, query.days, context)
  const timeseries = figures.map(({ day, monthlyActiveUsers }) => [toDate(day), monthlyActiveUsers] as const)
  const { name, handle, link } = application
  return { name, handle, link, timeseries_data: Object.fromEntries(timeseries), ...SUCCESS }
})
