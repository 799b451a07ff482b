import { asc, desc, sql } from 'drizzle-orm'
import { MONTH_DAYS } from '../../rollups/daily-figures.ts'
import type { Database } from '../../storage/database.ts'
import { applications, dailyFigures, userDays } from '../../storage/schema.ts'
import type { GrowthQuery } from './query.ts'

export interface GrowthRow {
  readonly handle: string
  readonly link: string
  readonly name: string
  readonly photoUrl: string
  readonly today: number
  readonly yesterday: number
  readonly weekAgo: number
  readonly monthAgo: number
}

/** One page of applications with their monthly active users on four days. */
export function selectGrowth(db: Database, { today, limit, offset }: GrowthQuery) {
  const todayUsers = usersOn(today).as('today')
  return db
    .select({
      handle: applications.handle,
      link: applications.link,
      name: applications.name,
      photoUrl: applications.photoUrl,
      today: todayUsers,
      yesterday: usersOn(today - 1),
      weekAgo: usersOn(today - 7),
      monthAgo: usersOn(today - 30),
    })
    .from(applications)
    .orderBy(desc(sql`today`), asc(sql`lower(${applications.handle})`))
    .limit(limit)
    .offset(offset)
}

/** Of a day for which no rollup has written figures they are counted now: mostly there is nothing to count. */
function usersOn(day: number) {
  return sql<number>`coalesce((
    select f.monthly_active_users from ${dailyFigures} as f where f.application_id = ${applications}.id and f.day = ${day}), (
    select count(distinct u.telegram_id) from ${userDays} as u
    where u.application_id = ${applications}.id and u.day > ${day - MONTH_DAYS} and u.day <= ${day}))`
}
