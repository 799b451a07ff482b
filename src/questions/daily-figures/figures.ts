import { type ActivitySource, readActivity } from '../../accounts/applications/placement.ts'
import { daysIn } from '../../base/time/period.ts'
import type { RequestContext } from '../../http/context.ts'
import { toReading } from '../reading.ts'
import { type AsOf, readAsOf } from './as-of.ts'
import { activityOf, countMissing, type LastActive } from './missing.ts'
import { type FiguresQuery, selectFigures, selectLastActive, selectNewest } from './sql.ts'

export interface DayFigures {
  readonly day: number
  readonly monthlyActiveUsers: number
  readonly premiumUsers: number
  readonly nonPremiumUsers: number
}

const ZEROS = { monthlyActiveUsers: 0, premiumUsers: 0, nonPremiumUsers: 0 }

/**
 * The figures of an application, an entry per day of the period, oldest first, zero where nothing happened; and the moment they
 * hold for. That moment is read first, so that it is never too late; what is there and what is missing in one transaction, so
 * that figures written meanwhile count neither twice nor never.
 */
export async function readFigures(
  query: FiguresQuery,
  { questions, env, now }: Pick<RequestContext, 'questions' | 'env' | 'now'>,
): Promise<AsOf<DayFigures[]>> {
  const reading = toReading({ questions, env })
  const asOf = await readAsOf(query, { ...reading, now })
  const [figures, newest] = await questions.batch([selectFigures(questions, query), selectNewest(questions, query)])
  const activity = activityOf(query, newest)
  const lastActive = activity ? await readLastActive({ ...query, ...activity }, reading) : []
  const missing = new Map(countMissing(query, newest, lastActive).map((day) => [day.day, day.monthlyActiveUsers]))
  const byDay = new Map(figures.map((day) => [day.day, day]))
  const data = daysIn(query).map((day) => {
    const { monthlyActiveUsers, ...rest } = byDay.get(day) ?? { day, ...ZEROS }
    return { ...rest, monthlyActiveUsers: monthlyActiveUsers + (missing.get(day) ?? 0) }
  })
  return { asOf, data }
}

/** Each part as it is in its database. */
function readLastActive(query: FiguresQuery, reading: ActivitySource): Promise<LastActive[]> {
  return readActivity(query.applicationId, reading, async (parts) => {
    const counts = await Promise.all(
      parts.map(async ({ db, has }) => (await selectLastActive(db, query)).filter(({ part }) => has(part))),
    )
    return counts.flat()
  })
}
