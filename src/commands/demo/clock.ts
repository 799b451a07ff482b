import { weekdayOf } from './arrivals.ts'
import type { Place } from './places.ts'
import type { Dice, Weighted } from './random.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
export const DAY_MS = 86_400_000
/** Between two visits of a day. */
const PAUSE_MS = 50 * MINUTE_MS

// From midnight on, by the clock on the wall.
// biome-ignore format: 24 hours in a row
const WORKDAY = [14, 8, 5, 3, 3, 5, 14, 30, 44, 42, 38, 40, 54, 52, 40, 38, 42, 52, 66, 78, 88, 92, 72, 36]
// biome-ignore format: 24 hours in a row
const FREE_DAY = [26, 17, 10, 6, 4, 4, 7, 14, 26, 42, 56, 62, 64, 62, 60, 58, 58, 62, 68, 76, 82, 84, 70, 46]

const HOURS_OF_WORKDAY = hours(WORKDAY)
const HOURS_OF_FREE_DAY = hours(FREE_DAY)

function hours(weights: readonly number[]): Weighted<number> {
  return weights.map((weight, hour) => [hour, weight])
}

/** The moments of so many visits within a UTC day, in order, as the hours of the place suggest them. */
export function visitTimes(dice: Dice, { place, day, count }: { place: Place; day: number; count: number }): number[] {
  const isFree = place.weekend.includes(weekdayOf(day))
  const times = Array.from({ length: count }, () => day * DAY_MS + timeOfDay(dice, place, isFree)).sort((a, b) => a - b)
  let free = 0
  return times.map((time) => {
    const start = Math.max(time, free)
    free = start + PAUSE_MS
    return start
  })
}

function timeOfDay(dice: Dice, { utcOffsetHours }: Place, isFree: boolean): number {
  const hour = dice.weighted(isFree ? HOURS_OF_FREE_DAY : HOURS_OF_WORKDAY)
  const minute = (hour - utcOffsetHours) * HOUR_MINUTES + dice.whole(0, 59)
  return ((minute * MINUTE_MS + DAY_MS) % DAY_MS) + dice.whole(0, MINUTE_MS - 1)
}
