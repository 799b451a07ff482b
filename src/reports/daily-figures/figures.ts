import { countMissing } from '../../rollups/missing-figures.ts'
import type { Database } from '../../storage/database.ts'
import { daysIn } from '../../time/period.ts'
import type { Report } from '../report.ts'
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
const figuresReport: Report<FiguresQuery, DayFigures, DayFigures[]> = {
  name: 'daily figures',
  statement: selectFigures,
  result: (rows, period) => {
    const byDay = new Map(rows.map((figures) => [figures.day, figures]))
    return daysIn(period).map((day) => byDay.get(day) ?? { day, ...ZEROS })
  },
}

const ZEROS = { monthlyActiveUsers: 0, premiumUsers: 0, nonPremiumUsers: 0 }

/**
 * The figures of an application, and as of when they are; that is read first, so as not to claim too much. What is missing is
 * looked for before the rest: figures that a rollup writes meanwhile are in both.
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
