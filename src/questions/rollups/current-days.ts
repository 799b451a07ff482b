import { type CurrentDays, currentDays } from '../../base/time/current-days.ts'
import type { Database } from '../../storage/database.ts'
import { selectTimeZones } from './sql.ts'

/** Reads the current day of each application from the directory's time zones. */
export async function readCurrentDays(directory: Database, now: number): Promise<CurrentDays> {
  const zones = await selectTimeZones(directory)
  return currentDays(
    zones.map(({ timeZone }) => timeZone),
    now,
  )
}
