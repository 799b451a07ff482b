import { Failure } from '../../errors.ts'
import { SUCCESS } from '../../http/openapi.ts'
import { operation } from '../../http/router.ts'
import { dayOf, toDate } from '../../time/days.ts'
import { AS_OF_HEADER, asOf } from '../as-of.ts'
import { figuresReport } from '../daily-figures/figures.ts'
import { run } from '../run.ts'
import { getMonthlyActiveUsers } from './contract.ts'

export const getMonthlyActiveUsersRoute = operation(
  getMonthlyActiveUsers,
  { header: 'x-api-key', scope: 'full' },
  async ({ path, query }, { db, now, setHeader }) => {
    const to = dayOf(now)
    const figures = await run(figuresReport, { handle: path.handle, from: to - query.days + 1, to }, db)
    if (!figures) throw new Failure('not-found', 'No application has this handle.')
    setHeader(AS_OF_HEADER, asOf(figures.waitingSince, now))
    const { name, handle, link, days } = figures
    const timeseries = days.map(({ day, monthlyActiveUsers }) => [toDate(day), monthlyActiveUsers] as const)
    return { name, handle, link, timeseries_data: Object.fromEntries(timeseries), ...SUCCESS }
  },
)
