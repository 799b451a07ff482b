import { keptFromOn } from '../../accounts/applications/kept.ts'
import { calendarOf } from '../../base/time/calendar.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { addOnlyJobs } from '../jobs/statements.ts'
import { type KeptFrom, raiseKeptFrom, selectKeeping } from './sql.ts'

const APPLICATIONS_AT_ONCE = 100

/** Advances the first kept day of applications and adds the jobs that delete older events. Returns how many. Wake their objects then. */
export async function beginRetaining(directory: BatchDatabase, now: number): Promise<number> {
  let begun = 0
  for (let after = 0; ; ) {
    const keeping = await selectKeeping(directory, { after, limit: APPLICATIONS_AT_ONCE })
    const due = keeping.flatMap(({ id, keepMonths, keptFrom, timeZone }): KeptFrom[] => {
      const day = keptFromOn(calendarOf(timeZone).dayOf(now), keepMonths)
      return day > (keptFrom ?? 0) ? [[id, keepMonths, day, timeZone]] : []
    })
    if (due.length > 0) begun += await begin(due, { directory, now })
    const last = keeping.at(-1)
    if (!last || keeping.length < APPLICATIONS_AT_ONCE) return begun
    after = last.id
  }
}

async function begin(
  due: readonly KeptFrom[],
  { directory, now }: { directory: BatchDatabase; now: number },
): Promise<number> {
  const ids = due.map(([applicationId]) => applicationId)
  const [raised] = await directory.batch([
    raiseKeptFrom(directory, due),
    addOnlyJobs(directory, ids, { kind: 'retain', progress: {}, now }),
  ])
  return raised.length
}
