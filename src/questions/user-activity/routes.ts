import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { figuresIn } from '../engine/saved.ts'
import { toDateSeries, toNumberSeries } from '../engine/series.ts'
import { getUserActivity } from './contract.ts'
import { activityUsers, toFigures, userActivityReport } from './user-activity.ts'

export const getUserActivityRoute = question(
  getUserActivity,
  async ({ query: { filters } }, { calendar, period, before, now, ask }) => {
    const counts = await ask(userActivityReport, { filters, ...period, before })
    const yValues = toFigures(counts, calendar.dayOf(now) - period.from).map(toNumberSeries)
    return { xValues: toDateSeries(period), yValues, time_zone: calendar.timeZone, ...SUCCESS }
  },
  {
    reports: [userActivityReport],
    users: activityUsers,
    // The overview.
    saved: { page: '', toQuery: () => ({}), toFigures: (answer) => figuresIn(answer, answer.yValues[0]) },
  },
)
