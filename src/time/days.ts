export const MS_PER_DAY = 86_400_000
export const MS_PER_HOUR = 3_600_000

/** The UTC day that holds a moment, as whole days since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / MS_PER_DAY)
}

/** The UTC hour that holds a moment, as whole hours since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / MS_PER_HOUR)
}

/** The same moment so many calendar years earlier (29 February becomes 1 March). */
export function yearsBefore(time: number, years: number): number {
  const date = new Date(time)
  return date.setUTCFullYear(date.getUTCFullYear() - years)
}

/** A day as `YYYY-MM-DD`. */
export function toDate(day: number): string {
  return toIso(day * MS_PER_DAY).slice(0, 10)
}

/** ISO 8601 in UTC, to the millisecond. */
export function toIso(time: number): string {
  return new Date(time).toISOString()
}
