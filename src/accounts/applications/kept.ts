import { type Calendar, calendarOf } from '../../base/time/calendar.ts'
import { monthsBefore } from '../../base/time/days.ts'

/** With two months, at least 30 days are complete. */
export const MIN_KEEP_MONTHS = 2
export const MAX_KEEP_MONTHS = 120

/** Monthly figures cover a day and the 29 before it, and a session may begin one day earlier. */
const LOOK_BACK_DAYS = 30

/** The first day whose events are kept on this day. */
export function keptFromOn(today: number, keepMonths: number): number {
  return monthsBefore(today, keepMonths)
}

/** The first day with complete figures, if events are kept from `keptFrom` on. */
export function dataSince(keptFrom: number): number {
  return keptFrom + LOOK_BACK_DAYS
}

/** The first day that an application keeps; null: it keeps all. */
export interface KeptDays {
  readonly keptFrom: number | null
  /** The time zone whose day it is. */
  readonly timeZone: string
}

/** The moment from which on events are kept: milliseconds since 1970 UTC; null: all are. */
export function keptSince({ keptFrom, timeZone }: KeptDays): number | null {
  return keptFrom === null ? null : calendarOf(timeZone).startOf(keptFrom)
}

/** The first day of another calendar whose events are all kept; null if all days are kept. */
export function keptFromIn(calendar: Calendar, kept: KeptDays): number | null {
  if (calendar.timeZone === kept.timeZone) return kept.keptFrom
  const since = keptSince(kept)
  return since === null ? null : calendar.dayOf(since - 1) + 1
}
