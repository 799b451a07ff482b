import { type Reading, readActivity } from '../../applications/placement.ts'
import { bindingOf, boundDatabases } from '../../storage/activity.ts'
import { openDatabase } from '../../storage/database.ts'
import { toIso } from '../../time/days.ts'
import type { ServingLayout } from './query.ts'
import { selectAllWaiting, selectShownWaiting, selectWaiting } from './sql.ts'

/** Names the moment up to which every stored event is counted in an answer's figures. */
export const AS_OF_HEADER = 'figures-as-of'

/** That header, for a contract. */
export const AS_OF_HEADERS = {
  [AS_OF_HEADER]: 'The moment up to which every stored event is counted in these figures, ISO 8601.',
}

/** Figures, and that moment as the header says it. */
export interface AsOf<T> {
  readonly asOf: string
  readonly data: T
}

interface AsOfReading extends Reading {
  readonly now: number
}

/** That moment: now, or since when an event of an application waits to be counted. Read it before the figures. */
export async function readAsOf(of: ServingLayout, { now, ...reading }: AsOfReading): Promise<string> {
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
