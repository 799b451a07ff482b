// Everywhere: a time (`time`, `now`, `…At`) is milliseconds since 1970 UTC; a day (`day`, `keptFrom`, `today`) is the number of its
// date: whole days from 1 January 1970 to it. Which day a moment lies in depends on a calendar (`calendar.ts`), unless it is UTC's.

export const MS_PER_DAY = 86_400_000
export const MS_PER_HOUR = 3_600_000

/** The UTC day of a moment, for what goes by UTC wherever an application is: quotas, and keys of storage. */
export function utcDayOf(time: number): number {
  return Math.floor(time / MS_PER_DAY)
}

/** When a UTC day begins. */
export function startOfUtcDay(day: number): number {
  return day * MS_PER_DAY
}

/** In whole hours since 1970 UTC. */
export function hourOf(time: number): number {
  return Math.floor(time / MS_PER_HOUR)
}

/** So many times 24 hours later; earlier where there are fewer than none. */
export function daysLater(time: number, days: number): number {
  return time + days * MS_PER_DAY
}

/** Moves a moment some calendar years back (29 February becomes 1 March). */
export function yearsBefore(time: number, years: number): number {
  const date = new Date(time)
  return date.setUTCFullYear(date.getUTCFullYear() - years)
}

/** The day some calendar months before another; the last day of the month if it has no such day. */
export function monthsBefore(day: number, months: number): number {
  const date = new Date(day * MS_PER_DAY)
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months + 1, 0))
  return utcDayOf(lastOfMonth.setUTCDate(Math.min(lastOfMonth.getUTCDate(), date.getUTCDate())))
}

/** A day as `YYYY-MM-DD`. */
export function toDate(day: number): string {
  return toIso(day * MS_PER_DAY).slice(0, 10)
}

/** ISO 8601 in UTC, to the millisecond. */
export function toIso(time: number): string {
  return new Date(time).toISOString()
}
