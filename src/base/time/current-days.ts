import { calendarOf, UTC } from './calendar.ts'

/** Which day it is: by UTC, and in the time zones where it is another one by now, which are never more than two days. */
export interface CurrentDays {
  readonly utc: number
  readonly elsewhere: readonly { readonly day: number; readonly timeZones: readonly string[] }[]
}

/** Which day it is in these time zones; in all that are not among them, as by UTC. */
export function currentDays(timeZones: readonly string[], now: number): CurrentDays {
  const utc = UTC.dayOf(now)
  const byDay = Map.groupBy(timeZones, (timeZone) => calendarOf(timeZone).dayOf(now))
  byDay.delete(utc)
  return { utc, elsewhere: [...byDay].map(([day, timeZones]) => ({ day, timeZones })) }
}
