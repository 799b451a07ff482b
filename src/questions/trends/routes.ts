import type { Fault } from '../../base/errors.ts'
import { TREND_INTERVALS, type TrendInterval } from '../../base/time/divided-period.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { findEventUsers } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { groupFields } from '../engine/groups.ts'
import { type Asker, periodFaultsOf, problemOfLength } from '../engine/period.ts'
import { question } from '../engine/question.ts'
import { toLabelSeries } from '../engine/series.ts'
import { askForSeries, type EventSeries, type FoundSeries } from '../event-segments/series.ts'
import { analyzeTrends, type TrendSeries, trendFigures } from './contract.ts'
import { type Division, divide, MAX_DAYS_OF_HOURS, trendPeriod } from './division.ts'
import { type Formula, LETTERS } from './formula.ts'
import { savedTrends } from './saved.ts'

/** The faults of a trend's period. A wrong interval is reported by its own parameter. */
function trendPeriodFaults(query: Record<string, string>, asker: Asker): Fault[] {
  const interval = TREND_INTERVALS.find((name) => name === (query.interval ?? 'day'))
  if (interval === 'hour' && query.start === undefined) return []
  return periodFaultsOf(query, asker, (period) => (interval ? problemOf(period, interval) : null))
}

function problemOf(period: Period, interval: TrendInterval): string | null {
  if (interval !== 'hour') return problemOfLength(period, interval)
  const isShort = daysIn(period).length <= MAX_DAYS_OF_HOURS
  return isShort ? null : `The period should have at most ${MAX_DAYS_OF_HOURS} days with the interval 'hour'`
}

/** The users of a series in an interval, or in the whole period. */
const trendUsers = countedBy(trendFigures, {
  toQuery(params, { series, interval, group = null }, { calendar, today }) {
    const { event, filters } = params.series[LETTERS.indexOf(series)] as (typeof params.series)[number]
    const { labels, period } = divide(calendar, trendPeriod(params, today), { interval: params.interval })
    const index = interval === undefined ? null : labels.indexOf(interval)
    return {
      event: toEventName(event),
      filters: [...params.filters, ...filters],
      groupBy: params.group_by.map(({ property }) => property),
      group,
      isFirstTime: params.first_time,
      period,
      interval: index,
    }
  },
  find: findEventUsers,
})

/** Answers series one by one: together they would need the memory of all. */
export const analyzeTrendsRoute = question(
  analyzeTrends,
  async ({ query: params }, asking) => {
    const { calendar } = asking
    const division = divide(calendar, trendPeriod(params, calendar.dayOf(asking.now)), params)
    const { labels, period, before } = division
    const found: EventSeries[] = []
    let groups: Omit<FoundSeries, 'series'> = { total: null, other: null }
    for (const { event, mode, of, name, ...own } of params.series) {
      const groupBy = params.group_by.map(({ property }) => property)
      const filters = [...params.filters, ...own.filters]
      const shared = { groupBy, period, before, isFirstTime: params.first_time }
      const { series, ...beyond } = await askForSeries(
        { event: toEventName(event), mode, of, filters, ...shared },
        asking,
      )
      groups = beyond
      found.push(...series.map((one) => (name && groupBy.length === 0 ? renamed(one, name) : one)))
    }
    const all = [...found, ...params.formula.map((formula) => compute(formula, found, division))]
    const toWire = (one: EventSeries): TrendSeries => (params.compare ? withCompared(one, division) : one.series)
    return {
      xValues: toLabelSeries({ name: 'date', data: labels, keyValue: labels.length }),
      yValues: all.map(toWire),
      ...groupFields({ total: groups.total, other: groups.other && toWire(groups.other) }),
      time_zone: calendar.timeZone,
      ...SUCCESS,
    }
  },
  // The reports are those of event segmentation.
  { users: trendUsers, saved: savedTrends, findFaults: trendPeriodFaults },
)

function renamed(one: EventSeries, name: string): EventSeries {
  return { ...one, series: { ...one.series, name } }
}

/** Adds to a series, per interval, the figure that it is compared with. */
function withCompared({ series, before }: EventSeries, { indexesBefore }: Division): TrendSeries {
  return { ...series, compared: indexesBefore.map((index) => (index === null ? null : (before[index] ?? null))) }
}

/** Computes the series of a formula: for each interval, and for the headlines. */
function compute({ text, evaluate }: Formula, all: readonly EventSeries[], { period, before }: Division): EventSeries {
  const data = period.starts.map((_, index) => evaluate(all.map(({ series }) => series.data[index] ?? null)))
  const [total, totalBefore] = [evaluate(all.map((one) => one.total)), evaluate(all.map((one) => one.totalBefore))]
  return {
    series: {
      name: text,
      data_type: 'time_series',
      data,
      length: data.length,
      key_value: wholeNumber(total ?? 0),
      total,
      empty: data.every((value) => value === null || value === 0),
      change: changeOf(total ?? 0, totalBefore ?? 0),
    },
    before: before.starts.map((_, index) => evaluate(all.map((one) => one.before[index] ?? null))),
    total,
    totalBefore,
  }
}

/** Rounds to a whole number, halves away from zero. */
function wholeNumber(figure: number): number {
  return Math.sign(figure) * Math.round(Math.abs(figure)) + 0
}

/** The change in percent of the former figure's size; from zero, 100 if there is more now, -100 if less. */
function changeOf(now: number, then: number): number {
  if (then === 0) return 100 * Math.sign(now) + 0
  const change = ((now - then) / Math.abs(then)) * 100
  return Number.isFinite(change) ? wholeNumber(change) : 100 * Math.sign(now - then)
}
