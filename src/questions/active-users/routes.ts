import { findByHandle } from '../../accounts/applications/applications.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import { toDate } from '../../base/time/days.ts'
import { SUCCESS, TIME_ZONE_HEADER } from '../../http/api/answers.ts'
import { readFigures } from '../daily-figures/figures.ts'
import { AS_OF_HEADER } from '../engine/as-of.ts'
import { question } from '../engine/question.ts'
import { getMonthlyActiveUsers } from './contract.ts'

export const getMonthlyActiveUsersRoute = question(
  getMonthlyActiveUsers,
  async ({ path, query }, { db, questions, env, now, setHeader }) => {
    const { id: applicationId, objects, timeZone, name, handle, link } = await findByHandle(db, path.handle)
    const calendar = calendarOf(timeZone)
    const to = calendar.dayOf(now)
    const period = { from: to - query.days + 1, to }
    const { asOf, data } = await readFigures({ applicationId, objects, calendar, ...period }, { questions, env, now })
    setHeader(AS_OF_HEADER, asOf)
    setHeader(TIME_ZONE_HEADER, timeZone)
    const timeseries = data.map(({ day, monthlyActiveUsers }) => [toDate(day), monthlyActiveUsers] as const)
    return { name, handle, link, timeseries_data: Object.fromEntries(timeseries), ...SUCCESS }
  },
)
