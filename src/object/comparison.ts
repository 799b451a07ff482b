import { logError } from '../base/log.ts'
import { type Calendar, spanOf } from '../base/time/calendar.ts'
import type { Activity } from '../columns/activity.ts'
import { countEvents, type DayCount, type Refreshing } from '../columns/refresh.ts'
import { isOfAllTime, namesOf, readAgain, readChanges, type StoredChange } from '../questions/rollups/changes.ts'

interface Comparing extends Refreshing {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** Days that one statement counts: it looks at every event of them. */
const DAYS_AT_ONCE = 7
/** With more changes waiting, nobody knows what the columns should hold: another time. */
const MOST_CHANGES = 1_000

/**
 * Compares how many events each name has on the days that changed since the last comparison with what the database has. Where
 * they differ, which only a mistake of ours can make them, the log says so, and the day is read again. Returns how many differ.
 */
export async function compare(comparing: Comparing): Promise<number> {
  const { activity, db, key, exclusively, now } = comparing
  let different = 0
  for (const days of chunks(activity.days.tasks('comparison'))) {
    const counted = await countEvents(db, key, { days, calendar: activity.calendar })
    // Read after the counts: whatever was stored until then, and is not in the columns, is among them.
    const changes = await readChanges(db, key, MOST_CHANGES)
    if (changes.length >= MOST_CHANGES) return different
    const found: Difference[] = []
    // A day in a turn, so that questions get theirs.
    for (const day of days) found.push(...(await exclusively(() => differences(counted, day, activity))))
    const wrong = found.filter((count) => !isWaiting(count, changes, activity.calendar))
    for (const { nameId, day, events, inColumns } of wrong) {
      const fields = { application: key.applicationId, part: key.part, name: nameId, day, columns: inColumns, events }
      logError('columns differ from the database', 'the day is read again', fields)
    }
    await readAgain(db, key, { days: wrong, calendar: activity.calendar, now })
    await exclusively(() => activity.days.done('comparison', days))
    different += wrong.length
  }
  return different
}

interface Difference extends DayCount {
  readonly inColumns: number
}

function differences(stored: readonly DayCount[], day: number, activity: Activity): Difference[] {
  const inDatabase = new Map(stored.filter((count) => count.day === day).map(({ nameId, events }) => [nameId, events]))
  const inColumns = activity.segments.countsOn(day)
  return [...new Set([...inDatabase.keys(), ...inColumns.keys()])]
    .map((nameId) => ({ nameId, day, events: inDatabase.get(nameId) ?? 0, inColumns: inColumns.get(nameId) ?? 0 }))
    .filter(({ events, inColumns }) => events !== inColumns)
}

/** Whether the object knows already that it must read this again. */
function isWaiting({ nameId, day }: DayCount, changes: readonly StoredChange[], calendar: Calendar): boolean {
  const span = spanOf(calendar, { from: day, to: day })
  return changes.some(
    (change) =>
      isOfAllTime(change) || (namesOf(change).includes(nameId) && change.from < span.to && span.from <= change.to),
  )
}

function chunks(days: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(days.length / DAYS_AT_ONCE) }, (_, index) =>
    days.slice(index * DAYS_AT_ONCE, (index + 1) * DAYS_AT_ONCE),
  )
}
