import { asc, desc, sql } from 'drizzle-orm'
import { calendarOf } from '../../base/time/calendar.ts'
import type { CurrentDays } from '../../base/time/current-days.ts'
import type { Database } from '../../storage/database.ts'
import { cell, countIn, dayIn, each } from '../../storage/json-rows.ts'
import { MAX_OBJECTS, partsOf } from '../../storage/object-name.ts'
import { applications, dailyFigures, users } from '../../storage/schema.ts'
import { MONTH_DAYS } from '../rollups/daily-figures.ts'
import { DAYS_AGO } from './contract.ts'

/** A question for the growth of one page of the applications. */
export interface GrowthQuery {
  /** The current day of each application, by its time zone. */
  readonly today: CurrentDays
  readonly limit: number
  readonly offset: number
}

export type GrowthRow = Awaited<ReturnType<typeof selectGrowth>>[number]

/** Selects partitions that lack figures of recent days although the last day with figures has monthly active users. */
export function selectBehind(db: Database, today: CurrentDays) {
  const ownToday = dayIn(sql`a.time_zone`, today)
  return db
    .select({
      applicationId: sql<number>`a.id`.as('applicationId'),
      databases: sql<string>`a.databases`.as('databases'),
      objects: sql<number>`a.objects`.as('objects'),
      timeZone: sql<string>`a.time_zone`.as('timeZone'),
      today: sql<number>`${ownToday}`.as('today'),
      part: sql<number>`last.part`.as('part'),
      newest: sql<number>`last.day`.as('newest'),
    })
    .from(
      sql`${applications} as a
    cross join json_each(iif(a.objects = 1, '[0]', ${JSON.stringify(partsOf(MAX_OBJECTS))})) as p
      on p.value < ${countIn(sql`a.objects`)}
    cross join ${dailyFigures} as last
      on last.application_id = a.id and last.objects = a.objects and last.part = p.value
      and last.day = (
        select max(f.day) from ${dailyFigures} as f
        where f.application_id = a.id and f.objects = a.objects and f.part = p.value
      )`,
    )
    .where(sql`last.day < ${ownToday} and last.monthly_active_users > 0`)
}

/** A partition without figures after its newest day. */
export type Behind = Omit<Awaited<ReturnType<typeof selectBehind>>[number], 'databases'>

export type ShownDay = keyof typeof DAYS_AGO

const SHOWN_NAMES = Object.keys(DAYS_AGO) as ShownDay[]

/** The cells of a partition, which come first, and of each day: its number, and the span of last activity. */
const [PART_CELLS, DAY_CELLS] = [4, 3]

/** Counts, by last activity, each partition's monthly active users on the overview's days without figures. */
export function selectCounted(db: Database, behind: readonly Behind[]) {
  const rows = behind.map(({ applicationId, objects, part, newest, today, timeZone }) => {
    const calendar = calendarOf(timeZone)
    const days = SHOWN_NAMES.map((name) => today - DAYS_AGO[name])
    const cells = days.map((day) => [day, calendar.startOf(day - MONTH_DAYS + 1), calendar.startOf(day + 1)])
    return [applicationId, objects, part, newest, ...cells.flat()]
  })
  return db
    .select({
      applicationId: sql<number>`${cell(0)}`.as('applicationId'),
      objects: sql<number>`${cell(1)}`.as('objects'),
      part: sql<number>`${cell(2)}`.as('part'),
      newest: sql<number>`${cell(3)}`.as('newest'),
      today: countOn('today').as('today'),
      yesterday: countOn('yesterday').as('yesterday'),
      weekAgo: countOn('weekAgo').as('weekAgo'),
      monthAgo: countOn('monthAgo').as('monthAgo'),
    })
    .from(sql`${each(rows)} as r`)
}

export type Counted = Awaited<ReturnType<typeof selectCounted>>[number]

function countOn(name: ShownDay) {
  const first = PART_CELLS + SHOWN_NAMES.indexOf(name) * DAY_CELLS
  return sql<number>`(
    select count(*) from ${users} as u
    where u.application_id = ${cell(0)} and u.telegram_id % ${countIn(cell(1))} = ${cell(2)} and ${cell(3)} < ${cell(first)}
      and u.last_active_at >= ${cell(first + 1)} and u.last_active_at < ${cell(first + 2)})`
}

/** Selects one page of applications with their monthly active users on four days. */
export function selectGrowth(db: Database, { today, limit, offset }: GrowthQuery, counted: readonly Counted[]) {
  const { handle, link, name, photoUrl } = applications
  return db
    .with(countedRows(db, counted))
    .select({
      handle,
      link,
      name,
      photoUrl,
      today: usersOn('today', today).as('today'),
      yesterday: usersOn('yesterday', today),
      weekAgo: usersOn('weekAgo', today),
      monthAgo: usersOn('monthAgo', today),
    })
    .from(applications)
    .orderBy(desc(sql`today`), asc(sql`lower(${handle})`))
    .limit(limit)
    .offset(offset)
}

const COUNTED = ['applicationId', 'objects', 'part', 'newest', 'today', 'yesterday', 'weekAgo', 'monthAgo'] as const

function countedRows(db: Database, counted: readonly Counted[]) {
  const rows = counted.map((row) => COUNTED.map((name) => row[name]))
  const cells = COUNTED.map((name, index) => sql`${cell(index)} as ${sql.identifier(name)}`)
  return db.$with('counted', {}).as(sql`select ${sql.join(cells, sql`, `)} from ${each(rows)} as r`)
}

/**
 * The sum of the figures of all partitions. For partitions that were behind, the counted figure is used, even if the
 * day's figures were written meanwhile, so that none counts twice.
 */
function usersOn(name: ShownDay, today: CurrentDays) {
  const day = sql`(${dayIn(sql`${applications}.time_zone`, today)} - ${DAYS_AGO[name]})`
  const isOwn = sql`counted."applicationId" = ${applications}.id and counted."objects" = ${applications}.objects`
  return sql<number>`coalesce((
    select sum(f.monthly_active_users) from ${dailyFigures} as f
    where f.application_id = ${applications}.id and f.day = ${day} and f.objects = ${applications}.objects
      and not exists (select 1 from counted where ${isOwn} and counted."part" = f.part and counted."newest" < ${day})
  ), 0) + coalesce((select sum(counted.${sql.identifier(name)}) from counted where ${isOwn}), 0)`
}
