import type { SentEvent } from './event-history.ts'
import { type Filter, noteHistory, passes } from './filter-oracle.ts'
import {
  changeOf,
  dateOf,
  daysOf,
  isIn,
  labelSeries,
  numberSeries,
  type Period,
  precedingPeriod,
} from './series-oracle.ts'
import { dayIn } from './zones.ts'

/** User activity as docs/rules.md (11) has it, looked up event by event for every day. Shares no code with the service. */

export interface ActivityQuestion extends Period {
  readonly filters: readonly Filter[]
  /** When it is asked. */
  readonly today: number
}

export function answerActivity(history: readonly SentEvent[], { filters, today, ...period }: ActivityQuestion) {
  noteHistory(history)
  const { timeZone } = period
  const dayOf = ({ datetime }: SentEvent) => dayIn(datetime, timeZone)
  const within = (days: Period) => usersWithin(passing, { ...days, ...(timeZone && { timeZone }) })
  const passing = history.filter((event) => passes(event, filters))
  const activeOn = (day: number) => within({ from: day, to: day })
  const activeIn = (days: number, last: number) => within({ from: last - days + 1, to: last })
  const isNew = (user: number, day: number) =>
    Math.min(...history.filter(({ telegram_id }) => telegram_id === user).map(dayOf)) === day

  const dau = (day: number) => activeOn(day).size
  const wau = (day: number) => activeIn(7, day).size
  const mau = (day: number) => activeIn(30, day).size
  const returning = (day: number) =>
    [...activeOn(day)].filter((user) => !isNew(user, day) && activeOn(day - 1).has(user)).length
  const resurrected = (day: number) =>
    [...activeOn(day)].filter((user) => !isNew(user, day) && !activeOn(day - 1).has(user)).length
  const newUsers = (day: number) => [...activeOn(day)].filter((user) => isNew(user, day)).length
  const dormant = (day: number) => [...activeOn(day - 1)].filter((user) => !activeOn(day).has(user)).length

  const before = precedingPeriod(period)
  const series = (name: string, figureOf: (day: number) => number, headlineOf: (period: Period) => number) => {
    const [now, then] = [headlineOf(period), headlineOf(before)]
    const change = changeOf({ of: now, per: 1 }, { of: then, per: 1 })
    return numberSeries({ name, data: daysOf(period).map(figureOf), key_value: now, change })
  }
  const lastDayOf = (figureOf: (day: number) => number) => (days: Period) => figureOf(days.to)
  const sumOf = (figureOf: (day: number) => number) => (days: Period) =>
    daysOf(days).reduce((sum, day) => sum + figureOf(day), 0)

  // Days that are not over are left out, and in the period before those as many days earlier.
  const dormantNow = sumOf((day) => (day < today ? dormant(day) : 0))(period)
  const dormantBefore = sumOf((day) => (day + daysOf(period).length < today ? dormant(day) : 0))(before)

  return {
    xValues: labelSeries('date', daysOf(period).map(dateOf)),
    yValues: [
      series('dau', dau, (days) => within(days).size),
      series('wau', wau, lastDayOf(wau)),
      series('mau', mau, lastDayOf(mau)),
      stickiness(dau, mau, { now: period, before }),
      series('new', newUsers, sumOf(newUsers)),
      series('returning', returning, sumOf(returning)),
      series('resurrected', resurrected, sumOf(resurrected)),
      numberSeries({
        name: 'dormant',
        data: daysOf(period).map((day) => (day < today ? dormant(day) : null)),
        key_value: dormantNow,
        change: changeOf({ of: dormantNow, per: 1 }, { of: dormantBefore, per: 1 }),
      }),
    ],
    time_zone: timeZone ?? 'UTC',
    status_code: 200,
    message: 'Success',
  }
}

type DayFigure = (day: number) => number

/** Adds up the daily values as fractions with a common denominator. */
function stickiness(dau: DayFigure, mau: DayFigure, { now, before }: { now: Period; before: Period }) {
  const data = daysOf(now).map((day) => (mau(day) === 0 ? 0 : (100 * dau(day)) / mau(day)))
  const days = BigInt(daysOf(now).length)
  const parts = [...daysOf(now), ...daysOf(before)]
    .map(mau)
    .reduce((product, users) => product * BigInt(users || 1), 1n)
  const sumOf = (period: Period) =>
    daysOf(period).reduce(
      (sum, day) => sum + (mau(day) === 0 ? 0n : (parts / BigInt(mau(day))) * BigInt(100 * dau(day))),
      0n,
    )
  const [is, was] = [sumOf(now), sumOf(before)]
  const percent = was === 0n ? (is > 0n ? 100n : 0n) : nearest((is - was) * 100n, was)
  return numberSeries({
    name: 'stickiness',
    data,
    key_value: Number(nearest(is, parts * days)),
    change: Number(percent),
  })
}

/** Halves away from zero. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const whole = size / divisor + (2n * (size % divisor) >= divisor ? 1n : 0n)
  return dividend < 0n ? -whole : whole
}

function usersWithin(events: readonly SentEvent[], period: Period): Set<number> {
  return new Set(events.filter(({ datetime }) => isIn(datetime, period)).map(({ telegram_id }) => telegram_id))
}
