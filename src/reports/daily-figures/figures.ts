import { countMissing } from '../../rollups/missing-figures.ts'
import type { Database } from '../../storage/database.ts'
import { daysIn } from '../../time/period.ts'
import type { DatabaseReport } from '../report.ts'
import { run } from '../run.ts'
import { type AsOf, readAsOf } from './as-of.ts'
import type { FiguresQuery } from './query.ts'
import { selectFigures } from './sql.ts'

export interface DayFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
  readonly premiumUsers: number
  readonly nonPremiumUsers: number
}

/** One entry per day of the period, oldest first, zero where nothing happened. */
const figuresReport: DatabaseReport<FiguresQuery, DayFigures, DayFigures[]> = {
  name: 'daily figures',
  statement: selectFigures,
  result: (rows, period) => {
    const byDay = new Map(rows.map((figures) => [figures.day, figures]))
    return daysIn(period).map((day) => byDay.get(day) ?? { day, ...ZEROS })
  },
}

const ZEROS = { monthlyActiveUsers: 0, premiumUsers: 0, nonPremiumUsers: 0 }

/**
 * The figures of an application and the moment they hold for. That moment is read first, so that it is never too late; missing
 * figures are counted before the stored ones are read, so that a rollup in between leaves no gap.
 */
export async function readFigures(
  query: FiguresQuery,
  { db, now }: { db: Database; now: number },
): Promise<AsOf<DayFigures[]>> {
  const asOf = await readAsOf(db, { now, applicationId: query.applicationId })
  const missing = await countMissing(db, query.applicationId, query)
  const counted = new Map(missing.map((figures) => [figures.day, figures]))
  const figures = await run(figuresReport, query, db)
  return { asOf, data: figures.map((day) => ({ ...day, ...counted.get(day.day) })) }
}
