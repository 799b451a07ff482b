import { type AnyFraction, type Fraction, meanOf, unrounded } from '../change.ts'
import { countOf, type Figures } from '../series.ts'
import type { ActivityCounts } from './user-activity.ts'

/** One series for each way to look at who is active. */
export function toFigures(counts: ActivityCounts): Figures[] {
  const { dau, wau, mau, wholePeriod } = counts
  const stickiness = dau.map((users, day) => ({ part: 100 * users, whole: mau[day] as number }))
  return [
    { name: 'dau', data: periodsOf(dau).now, ...headlines(wholePeriod, lastOf) },
    { name: 'wau', data: periodsOf(wau).now, ...headlines(wau, lastOf) },
    { name: 'mau', data: periodsOf(mau).now, ...headlines(mau, lastOf) },
    { name: 'stickiness', data: periodsOf(stickiness).now.map(unrounded), ...headlines(stickiness, meanOf) },
    ...(['new', 'returning', 'resurrected', 'dormant'] as const).map((name) => ({
      name,
      data: periodsOf(counts[name]).now,
      ...headlines(counts[name], sumOf),
    })),
  ]
}

/** Two periods of equal length lie one after the other. */
function periodsOf<T>(days: readonly T[]) {
  const middle = days.length / 2
  return { before: days.slice(0, middle), now: days.slice(middle) }
}

function headlines<T>(days: readonly T[], headlineOf: (days: readonly T[]) => AnyFraction) {
  const { before, now } = periodsOf(days)
  return { headline: headlineOf(now), before: headlineOf(before) }
}

function lastOf(days: readonly number[]): Fraction {
  return countOf(days.at(-1) ?? 0)
}

function sumOf(days: readonly number[]): Fraction {
  return countOf(days.reduce((sum, users) => sum + users, 0))
}
