import { asc, desc, eq, sql } from 'drizzle-orm'
import { MS_PER_DAY } from '../../base/time/days.ts'
import type { Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { MAX_OBJECTS, partsOf } from '../../storage/object-name.ts'
import { applications, dailyFigures, users } from '../../storage/schema.ts'
import { MONTH_DAYS } from '../rollups/daily-figures.ts'

/** One page of the applications. */
export interface GrowthQuery {
  /** Days since 1970 UTC. */
  readonly today: number
  readonly limit: number
  readonly offset: number
}

/** One application. */
export interface ApplicationGrowthQuery {
  /** Days since 1970 UTC. */
  readonly today: number
  readonly applicationId: number
}

export type GrowthRow = Awaited<ReturnType<typeof selectApplicationGrowth>>[number]

/** The parts of applications that have no figures of a day though they had monthly active users on the last day that has any. */
export function selectBehind(db: Database, { today, applicationId }: Asked) {
  const isAsked = applicationId === undefined ? sql`true` : sql`a.id = ${applicationId}`
  return db
    .select({
      applicationId: sql<number>`a.id`.as('applicationId'),
      databases: sql<string>`a.databases`.as('databases'),
      objects: sql<number>`a.objects`.as('objects'),
      part: sql<number>`last.part`.as('part'),
      newest: sql<number>`last.day`.as('newest'),
    })
    .from(
      sql`${applications} as a
    cross join json_each(iif(a.objects = 1, '[0]', ${JSON.stringify(partsOf(MAX_OBJECTS))})) as p on p.value < a.objects
    cross join ${dailyFigures} as last
      on last.application_id = a.id and last.objects = a.objects and last.part = p.value
      and last.day = (
        select max(f.day) from ${dailyFigures} as f
        where f.application_id = a.id and f.objects = a.objects and f.part = p.value
      )`,
    )
    .where(sql`${isAsked} and last.day < ${today} and last.monthly_active_users > 0`)
}

interface Asked {
  readonly today: number
  /** Without it, all are asked about. */
  readonly applicationId?: number
}

/** A part of which nobody has written figures after its newest day. */
export type Behind = Omit<Awaited<ReturnType<typeof selectBehind>>[number], 'databases'>

/** The days that the overview shows. */
function daysOf(today: number): readonly [number, number, number, number] {
  return [today, today - 1, today - 7, today - 30]
}

/** Of each of these parts the monthly active users on the overview's days that have no figures, by when they were last active. */
export function selectCounted(db: Database, behind: readonly Behind[], today: number) {
  const [now = 0, yesterday = 0, weekAgo = 0, monthAgo = 0] = daysOf(today)
  const rows = behind.map(({ applicationId, objects, part, newest }) => [applicationId, objects, part, newest])
  return db
    .select({
      applicationId: sql<number>`${cell(0)}`.as('applicationId'),
      objects: sql<number>`${cell(1)}`.as('objects'),
      part: sql<number>`${cell(2)}`.as('part'),
      newest: sql<number>`${cell(3)}`.as('newest'),
      today: countOn(now).as('today'),
      yesterday: countOn(yesterday).as('yesterday'),
      weekAgo: countOn(weekAgo).as('weekAgo'),
      monthAgo: countOn(monthAgo).as('monthAgo'),
    })
    .from(sql`${each(rows)} as r`)
}

export type Counted = Awaited<ReturnType<typeof selectCounted>>[number]

function countOn(day: number) {
  return sql<number>`(
    select count(*) from ${users} as u
    where u.application_id = ${cell(0)} and u.telegram_id % ${cell(1)} = ${cell(2)} and ${cell(3)} < ${day}
      and u.last_active_at >= ${(day - MONTH_DAYS + 1) * MS_PER_DAY} and u.last_active_at < ${(day + 1) * MS_PER_DAY})`
}

/** One page of applications with their monthly active users on four days. */
export function selectGrowth(db: Database, { today, limit, offset }: GrowthQuery, counted: readonly Counted[]) {
  return selectGrowthOf(db, today, counted)
    .orderBy(desc(sql`today`), asc(sql`lower(${applications.handle})`))
    .limit(limit)
    .offset(offset)
}

/** The same of one application. */
export function selectApplicationGrowth(
  db: Database,
  { today, applicationId }: ApplicationGrowthQuery,
  counted: readonly Counted[],
) {
  return selectGrowthOf(db, today, counted).where(eq(applications.id, applicationId))
}

function selectGrowthOf(db: Database, today: number, counted: readonly Counted[]) {
  const [now = 0, yesterday = 0, weekAgo = 0, monthAgo = 0] = daysOf(today)
  const { handle, link, name, photoUrl } = applications
  return db
    .with(countedRows(db, counted))
    .select({
      handle,
      link,
      name,
      photoUrl,
      today: usersOn(now, 'today').as('today'),
      yesterday: usersOn(yesterday, 'yesterday'),
      weekAgo: usersOn(weekAgo, 'weekAgo'),
      monthAgo: usersOn(monthAgo, 'monthAgo'),
    })
    .from(applications)
}

const COUNTED = ['applicationId', 'objects', 'part', 'newest', 'today', 'yesterday', 'weekAgo', 'monthAgo'] as const

function countedRows(db: Database, counted: readonly Counted[]) {
  const rows = counted.map((row) => COUNTED.map((name) => row[name]))
  const cells = COUNTED.map((name, index) => sql`${cell(index)} as ${sql.identifier(name)}`)
  return db.$with('counted', {}).as(sql`select ${sql.join(cells, sql`, `)} from ${each(rows)} as r`)
}

/**
 * The figures of all parts; of those that were behind what was counted, also where somebody wrote the day's figures meanwhile: so
 * none counts twice.
 */
function usersOn(day: number, name: (typeof COUNTED)[number]) {
  const isOwn = sql`counted."applicationId" = ${applications}.id and counted."objects" = ${applications}.objects`
  return sql<number>`coalesce((
    select sum(f.monthly_active_users) from ${dailyFigures} as f
    where f.application_id = ${applications}.id and f.day = ${day} and f.objects = ${applications}.objects
      and not exists (select 1 from counted where ${isOwn} and counted."part" = f.part and counted."newest" < ${day})
  ), 0) + coalesce((select sum(counted.${sql.identifier(name)}) from counted where ${isOwn}), 0)`
}
