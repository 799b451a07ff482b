import { SUCCESS } from '../../http/api/answers.ts'
import { question } from '../engine/question.ts'
import { countOf, toLabelSeries, toNumberSeries } from '../engine/series.ts'
import { countActiveDays } from './contract.ts'
import { frequencyUsers, userFrequencyReport } from './user-frequency.ts'

export const countActiveDaysRoute = question(
  countActiveDays,
  async ({ query: { filters } }, { calendar, period, before, ask }) => {
    const { users, before: usersBefore } = await ask(userFrequencyReport, { filters, period, before })
    const labels = users.map((_, index) => String(index + 1))
    const headline = users.reduce((sum, count) => sum + count, 0)
    const series = { name: 'users', data: users, headline: countOf(headline), before: countOf(usersBefore) }
    return {
      xValues: toLabelSeries({ name: 'days', data: labels, keyValue: labels.length }),
      yValues: [toNumberSeries(series)],
      time_zone: calendar.timeZone,
      ...SUCCESS,
    }
  },
  { reports: [userFrequencyReport], users: frequencyUsers },
)
