import { MAX_GROUPS, type UserProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import type { NumberSeries } from '../engine/contract.ts'
import { groupFields } from '../engine/groups.ts'
import { askForList } from '../engine/lists.ts'
import { question } from '../engine/question.ts'
import { countOf, toDateSeries, toNumberSeries } from '../engine/series.ts'
import { botEventsReport } from './bot-events.ts'
import { getBotReach, REACH_SERIES } from './contract.ts'
import { reachedGroupsReport } from './groups.ts'
import { botReachReport, type ReachCounts, reachedUsers } from './reach.ts'

export const getBotReachRoute = question(
  getBotReach,
  async ({ query: { by } }, asking) => {
    const { calendar, period, before, ask } = asking
    const groupingBy = async (property: UserProperty) => {
      const { groups, total } = await askForList(
        reachedGroupsReport,
        { by: property, ...period, limit: MAX_GROUPS },
        asking,
      )
      return { grouping: { by: property, names: groups.map(({ name }) => name) }, total }
    }
    const { grouping, total } = by ? await groupingBy(by) : { grouping: null, total: null }
    const counts = await ask(botReachReport, { grouping, ...period, before })
    const series = counts.map(seriesOf)
    return {
      xValues: toDateSeries(period),
      yValues: series.at(-1) ?? [],
      time_zone: calendar.timeZone,
      groups: (grouping?.names ?? []).map((name, index) => ({ name, yValues: series[index] ?? [] })),
      ...groupFields({ total }),
      ...SUCCESS,
    }
  },
  { reports: [botReachReport, reachedGroupsReport, botEventsReport], users: reachedUsers },
)

function seriesOf(counts: ReachCounts): NumberSeries[] {
  return REACH_SERIES.map((name) => {
    const { before, users, byDay } = counts[name]
    return toNumberSeries({ name, data: byDay, headline: countOf(users), before: countOf(before) })
  })
}
