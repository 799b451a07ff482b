import { hourOf, MS_PER_HOUR } from '../time/days.ts'

const MS_PER_MINUTE = 60_000

/**
 * The stretch of time within which changes of a name are noted as one: the minute of what happened within the last hour, else the
 * hour, as whole minutes or hours since 1970 UTC. An event that comes some minutes late, beside those of just now, makes an
 * object read nothing between them; and a year of imported events does not make half a million rows of each name. A minute's
 * number is greater than any hour's that an event may have.
 */
export function bucketOf(time: number, now: number): number {
  return now - time < MS_PER_HOUR ? Math.floor(time / MS_PER_MINUTE) : hourOf(time)
}
