import { daysIn } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { countOf, toDateSeries, toNumberSeries } from '../engine/series.ts'
import { expectDeleted } from '../events/deleted.ts'
import { listUserDays } from './contract.ts'
import { userDaysReport } from './user-days.ts'

export const listUserDaysRoute = question(
  listUserDays,
  async ({ path: { telegram_id: telegramId } }, context) => {
    const { calendar, period, before, ask } = context
    const found = await ask(userDaysReport, { telegramId, period, before })
    if (!found) await expectDeleted(telegramId, context)
    const { events = daysIn(period).map(() => 0), names = [] } = found ?? {}
    const total = events.reduce((sum, ofDay) => sum + ofDay, 0)
    const series = { name: 'events', data: events, headline: countOf(total), before: countOf(found?.before ?? 0) }
    return {
      xValues: toDateSeries(period),
      yValues: [toNumberSeries(series)],
      names: [...names],
      time_zone: calendar.timeZone,
      ...SUCCESS,
    }
  },
  { reports: [userDaysReport] },
)
