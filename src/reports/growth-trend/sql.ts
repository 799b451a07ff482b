import { asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { MAX_OBJECTS, partsOf } from '../../objects/object-name.ts'
import { MONTH_DAYS } from '../../rollups/daily-figures.ts'
import type { Database } from '../../storage/database.ts'
import { applications, dailyFigures, users } from '../../storage/schema.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { ApplicationGrowthQuery, GrowthQuery } from './query.ts'

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
  return selectGrowthWhere(db, today)
    .orderBy(desc(sql`today`), asc(sql`lower(${applications.handle})`))
    .limit(limit)
    .offset(offset)
}

/** The same of one application. */
export function selectApplicationGrowth(db: Database, { today, applicationId }: ApplicationGrowthQuery) {
  return selectGrowthWhere(db, today, sql`a.id = ${applicationId}`).where(eq(applications.id, applicationId))
}

/** `isAsked` keeps it from looking for what is missing of other applications. */
function selectGrowthWhere(db: Database, today: number, isAsked: SQL = sql`true`) {
  const todayUsers = usersOn(today).as('today')
  return db
    .with(behind(db, today, isAsked))
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
}

/** The parts of applications that have no figures of a day though they had monthly active users on the last day that has any. */
function behind(db: Database, today: number, isAsked: SQL) {
  return db.$with('behind', {}).as(sql`
    select a.id, a.objects, last.part, last.day as newest from ${applications} as a
    cross join json_each(iif(a.objects = 1, '[0]', ${JSON.stringify(partsOf(MAX_OBJECTS))})) as p on p.value < a.objects
    cross join ${dailyFigures} as last
      on last.application_id = a.id and last.objects = a.objects and last.part = p.value
      and last.day = (
        select max(f.day) from ${dailyFigures} as f
        where f.application_id = a.id and f.objects = a.objects and f.part = p.value
      )
    where ${isAsked} and last.day < ${today} and last.monthly_active_users > 0`)
}

/** The figures of all parts; users of those of which nobody has written the day's figures are counted now, by when they were last active. */
function usersOn(day: number) {
  return sql<number>`coalesce((
    select sum(f.monthly_active_users) from ${dailyFigures} as f
    where f.application_id = ${applications}.id and f.day = ${day} and f.objects = ${applications}.objects
  ), 0) + (
    select count(*) from behind
    cross join ${users} as u on u.application_id = behind.id and u.telegram_id % behind.objects = behind.part
    where behind.id = ${applications}.id and behind.newest < ${day}
      and u.last_active_at >= ${(day - MONTH_DAYS + 1) * MS_PER_DAY} and u.last_active_at < ${(day + 1) * MS_PER_DAY})`
}
