// Everywhere: a time (`time`, `now`, `…At`) is milliseconds since 1970 UTC, a day (`day`, `keptFrom`) whole days since then.

export const MS_PER_DAY = 86_400_000
export const MS_PER_HOUR = 3_600_000

export function dayOf(time: number): number {
  return Math.floor(time / MS_PER_DAY)
}

/** In whole hours since 1970 UTC. */
export function hourOf(time: number): number {
  return Math.floor(time / MS_PER_HOUR)
}

/** The same moment some calendar years earlier (29 February becomes 1 March). */
export function yearsBefore(time: number, years: number): number {
  const date = new Date(time)
  return date.setUTCFullYear(date.getUTCFullYear() - years)
}

/** The day some calendar months before another; the last day of the month if it has no such day. */
export function monthsBefore(day: number, months: number): number {
  const date = new Date(day * MS_PER_DAY)
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months + 1, 0))
  return dayOf(lastOfMonth.setUTCDate(Math.min(lastOfMonth.getUTCDate(), date.getUTCDate())))
}

/** A day as `YYYY-MM-DD`. */
export function toDate(day: number): string {
  return toIso(day * MS_PER_DAY).slice(0, 10)
}

/** ISO 8601 in UTC, to the millisecond. */
export function toIso(time: number): string {
  return new Date(time).toISOString()
}
