import { type ActivitySource, readActivity } from '../../accounts/applications/placement.ts'
import { toIso } from '../../base/time/days.ts'
import { bindingOf, boundDatabases } from '../../storage/activity.ts'
import { openDatabase } from '../../storage/database.ts'
import { type ServingPartitioning, selectAllWaiting, selectShownWaiting, selectWaiting } from './sql.ts'

interface AsOfReading extends ActivitySource {
  readonly now: number
}

/** The moment up to which figures are complete: now, or when the oldest event that is not counted yet was stored. Read it before the figures. */
export async function readAsOf(of: ServingPartitioning, { now, ...reading }: AsOfReading): Promise<string> {
  const waiting = await readActivity(of.applicationId, reading, (parts) =>
    Promise.all(parts.map(async ({ db, has }) => (await selectWaiting(db, of)).filter(({ part }) => has(part)))),
  )
  return toIso(Math.min(now, ...waiting.flat().map(({ waitingSince }) => waitingSince)))
}

/** The moment up to which the figures of every application are complete. */
export async function readAsOfAll({ env, directory, timeout, now }: AsOfReading): Promise<string> {
  const waiting = await Promise.all(
    boundDatabases(env).map(async (number) => {
      const all = await selectAllWaiting(openDatabase(bindingOf(env, number), timeout))
      const [shown] = all.length > 0 ? await selectShownWaiting(directory, all, number) : []
      return shown?.waitingSince ?? now
    }),
  )
  return toIso(Math.min(now, ...waiting))
}
