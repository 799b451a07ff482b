import { monthsBefore } from '../../base/time/days.ts'

/** With two months, at least 30 days are complete. */
export const MIN_KEEP_MONTHS = 2
export const MAX_KEEP_MONTHS = 120

/** Monthly figures cover a day and the 29 before it, and a session may begin one day earlier. */
export const LOOK_BACK_DAYS = 30

/** The first day whose events are kept at this time (milliseconds since 1970 UTC). */
export function keptFromAt(now: number, keepMonths: number): number {
  return monthsBefore(now, keepMonths)
}

/** The first day with complete figures, if events are kept from `keptFrom` on. */
export function dataSince(keptFrom: number): number {
  return keptFrom + LOOK_BACK_DAYS
}
