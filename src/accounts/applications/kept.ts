import { monthsBefore } from '../../base/time/days.ts'

/** Two months back there are still 30 days about which everything is known. */
export const MIN_KEEP_MONTHS = 2
export const MAX_KEEP_MONTHS = 120

/** Monthly figures of a day are of that day and the 29 before it, and a session may begin on the one before those. */
export const LOOK_BACK_DAYS = 30

/** The first day of which events are kept at a moment (milliseconds since 1970 UTC). */
export function keptFromAt(now: number, keepMonths: number): number {
  return monthsBefore(now, keepMonths)
}

/** The first day that questions know everything about, where events are kept from another one on. */
export function dataSince(keptFrom: number): number {
  return keptFrom + LOOK_BACK_DAYS
}
