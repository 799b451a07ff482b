import type { Calendar } from '../../base/time/calendar.ts'
import { dividedByHour, NO_PERIOD } from '../../base/time/divided-period.ts'
import { hoursOf } from '../../base/time/hours.ts'
import { weekdayOf } from '../../base/time/intervals.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { toEventName } from '../engine/event-name.ts'
import { question } from '../engine/question.ts'
import { askForSegments, toFigures } from '../event-segments/event-segments.ts'
import { analyzeEventHours } from './contract.ts'

const WEEK_DAYS = 7
const DAY_HOURS = 24

/** Asks the report of event segmentation, with a period divided by hour. */
export const analyzeEventHoursRoute = question(analyzeEventHours, async ({ query: params }, asking) => {
  const { calendar, period, now } = asking
  const query = {
    event: toEventName(params.event),
    mode: params.mode,
    filters: params.filters,
    groupBy: [],
    period: dividedByHour(calendar, period),
    before: NO_PERIOD,
    isFirstTime: false,
    groups: null,
  }
  const [figures] = toFigures(await askForSegments(query, asking), query)
  const week = addUpHours(calendar, period, { figures: figures?.data ?? [], now })
  return { ...week, time_zone: calendar.timeZone, ...SUCCESS }
})

interface Hourly {
  /** One figure per hour of the period. */
  readonly figures: readonly number[]
  readonly now: number
}

function addUpHours(calendar: Calendar, period: Period, { figures, now }: Hourly) {
  const sums = weekOf(0)
  const hours = weekOf(0)
  let index = 0
  for (const day of daysIn(period)) {
    const [daySums, dayHours] = [sums[weekdayOf(day)] as number[], hours[weekdayOf(day)] as number[]]
    for (const { from, hour } of hoursOf(calendar, day)) {
      const figure = figures[index++] ?? 0
      if (from > now) continue
      daySums[hour] = (daySums[hour] as number) + figure
      dayHours[hour] = (dayHours[hour] as number) + 1
    }
  }
  const data = sums.map((row, weekday) =>
    row.map((sum, hour) => {
      const count = hours[weekday]?.[hour] ?? 0
      return count === 0 ? null : sum / count
    }),
  )
  return { data, hours }
}

function weekOf(figure: number): number[][] {
  return Array.from({ length: WEEK_DAYS }, () => Array.from({ length: DAY_HOURS }, () => figure))
}
