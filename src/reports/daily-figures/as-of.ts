import type { Database } from '../../storage/database.ts'
import { toIso } from '../../time/days.ts'
import type { ServingLayout } from './query.ts'
import { selectWaitingSince } from './sql.ts'

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

/** That moment: now, or since when an event waits to be counted, of this application or of any. Read it before the figures. */
export async function readAsOf(db: Database, { now, of }: { now: number; of?: ServingLayout }): Promise<string> {
  const [waiting] = await selectWaitingSince(db, of)
  return toIso(waiting?.waitingSince ?? now)
}
