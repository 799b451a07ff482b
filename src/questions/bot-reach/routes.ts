import { daysIn } from '../../base/time/period.ts'
import { MAX_GROUPS, type UserProperty } from '../../columns/selection/filter.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import type { NumberSeries } from '../contract.ts'
import { askForList } from '../lists.ts'
import { question } from '../operation.ts'
import { countOf, toDateSeries, toNumberSeries } from '../series.ts'
import { getBotReach } from './contract.ts'
import { reachedGroupsReport } from './groups.ts'
import { botReachReport, type ReachCounts } from './reach.ts'

export const getBotReachRoute = question(
  getBotReach,
  async ({ query: { by } }, asking) => {
    const { calendar, period, before, ask } = asking
    const groupingBy = async (property: UserProperty) => {
      const { groups } = await askForList(reachedGroupsReport, { by: property, ...period, limit: MAX_GROUPS }, asking)
      return { by: property, names: groups.map(({ name }) => name) }
    }
    const grouping = by ? await groupingBy(by) : null
    const counts = await ask(botReachReport, { grouping, ...period, before })
    const series = counts.map((one) => seriesOf(one, daysIn(before).length))
    return {
      xValues: toDateSeries(period),
      yValues: series.at(-1) ?? [],
      time_zone: calendar.timeZone,
      groups: (grouping?.names ?? []).map((name, index) => ({ name, yValues: series[index] ?? [] })),
      ...SUCCESS,
    }
  },
  { reports: [botReachReport, reachedGroupsReport] },
)

/** `split`: how many days the period before has. */
function seriesOf({ reachable, gained, lost }: ReachCounts, split: number): NumberSeries[] {
  let now = reachable
  const reached = gained.map((gain, day) => {
    now += gain - (lost[day] ?? 0)
    return now
  })
  const flow = (name: string, figures: readonly number[]) =>
    toNumberSeries({
      name,
      data: figures.slice(split),
      headline: countOf(sum(figures.slice(split))),
      before: countOf(sum(figures.slice(0, split))),
    })
  return [
    toNumberSeries({
      name: 'reachable',
      data: reached.slice(split),
      headline: countOf(now),
      before: countOf(reached[split - 1] ?? reachable),
    }),
    flow('gained', gained),
    flow('lost', lost),
  ]
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}
