import { type ActivitySource, readActivity } from '../../accounts/applications/placement.ts'
import { toIso } from '../../base/time/days.ts'
import { bindingOf, boundDatabases } from '../../storage/activity.ts'
import { openDatabase } from '../../storage/database.ts'
import { type ServingPartitioning, selectAllWaiting, selectShownWaiting, selectWaiting } from './sql.ts'

/** Names the moment up to which the figures of an answer include every stored event. */
export const AS_OF_HEADER = 'figures-as-of'

/** That header, for a contract. */
export const AS_OF_HEADERS = {
  [AS_OF_HEADER]: 'These figures include every event stored up to this moment (ISO 8601).',
}

/** Figures, and that moment as the header says it. */
export interface AsOf<T> {
  readonly asOf: string
  readonly data: T
}

interface AsOfReading extends ActivitySource {
  readonly now: number
}

/** That moment: now, or when the oldest event that is not counted yet was stored. Read it before the figures. */
export async function readAsOf(of: ServingPartitioning, { now, ...reading }: AsOfReading): Promise<string> {
  const waiting = await readActivity(of.applicationId, reading, (parts) =>
    Promise.all(parts.map(async ({ db, has }) => (await selectWaiting(db, of)).filter(({ part }) => has(part)))),
  )
  return toIso(Math.min(now, ...waiting.flat().map(({ waitingSince }) => waitingSince)))
}

/** The same of all applications. */
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
