import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { Period } from '../../base/time/period.ts'
import type { Database } from '../../storage/database.ts'
import { cell, countIn, each } from '../../storage/json-rows.ts'
import { countOf, type Partitioning, partsOf } from '../../storage/object-name.ts'
import { applications, changes, dailyFigures, users } from '../../storage/schema.ts'

/** An application, and the number of the partitioning whose figures are shown. */
export type ServingPartitioning = Partitioning

/** The days of a period of one application. */
export interface FiguresQuery extends Period, ServingPartitioning {}

/** The figures of the days of a span that have any. */
export function selectFigures(db: Database, { applicationId, objects, from, to }: FiguresQuery) {
  const { day } = dailyFigures
  return db
    .select({
      day,
      monthlyActiveUsers: sql<number>`sum(${dailyFigures.monthlyActiveUsers})`,
      premiumUsers: sql<number>`sum(${dailyFigures.premiumUsers})`,
      nonPremiumUsers: sql<number>`sum(${dailyFigures.nonPremiumUsers})`,
    })
    .from(dailyFigures)
    .where(
      and(
        eq(dailyFigures.applicationId, applicationId),
        eq(dailyFigures.objects, objects),
        gte(day, from),
        lte(day, to),
      ),
    )
    .groupBy(day)
}

/** The newest day that has figures of each part, where users of that day may still count on the days after it. */
export function selectNewest(db: Database, { applicationId, objects }: ServingPartitioning) {
  const isOfPart = sql`f.application_id = ${applicationId} and f.objects = ${objects} and f.part = p.value`
  return db
    .select({ part: dailyFigures.part, day: dailyFigures.day })
    .from(sql`${each(partsOf(countOf(objects)))} as p`)
    .innerJoin(
      dailyFigures,
      sql`${dailyFigures.applicationId} = ${applicationId} and ${dailyFigures.objects} = ${objects}
        and ${dailyFigures.part} = p.value
        and ${dailyFigures.day} = (select max(f.day) from ${dailyFigures} as f where ${isOfPart})`,
    )
    .where(sql`${dailyFigures.monthlyActiveUsers} > 0`)
}

/** The moments at which days begin, in order: milliseconds since 1970 UTC. The last one is the end of the day before it. */
export interface DayBounds {
  readonly first: number
  readonly starts: readonly number[]
}

/** How many users of each part were last active on each of these days. */
export function selectLastActive(
  db: Database,
  { applicationId, objects }: ServingPartitioning,
  { first, starts }: DayBounds,
) {
  const rows = starts.slice(0, -1).map((start, index) => [first + index, start])
  // One pass over days and users in the order of time: the day of a user is the greatest that has begun.
  const moments = sql`
    select ${cell(1)} as time, ${cell(0)} as day, null as part from ${each(rows)} as r
    union all select ${users.lastActiveAt}, null, ${users.telegramId} % ${countIn(sql`${objects}`)} from ${users}
      where ${users.applicationId} = ${applicationId}
        and ${users.lastActiveAt} >= ${starts[0] ?? 0} and ${users.lastActiveAt} < ${starts.at(-1) ?? 0}`
  const dated = sql`select part, max(day) over (order by time, part is not null rows unbounded preceding) as day from (${moments})`
  return db
    .select({
      day: sql<number>`d.day`.as('day'),
      part: sql<number>`d.part`.as('part'),
      users: sql<number>`count(*)`.as('users'),
    })
    .from(sql`(${dated}) as d`)
    .where(sql`d.part is not null`)
    .groupBy(sql`d.day`, sql`d.part`)
}

/** Since when something stored of each part is not in its figures yet. */
export function selectWaiting(db: Database, { applicationId, objects }: ServingPartitioning) {
  return db
    .select({ part: changes.part, waitingSince: sql<number>`min(${changes.markedAt})` })
    .from(changes)
    .where(and(eq(changes.applicationId, applicationId), eq(changes.objects, objects)))
    .groupBy(changes.part)
}

/** The same of every application and partitioning that an activity database has changes of. */
export function selectAllWaiting(db: Database) {
  const { applicationId, objects } = changes
  return db
    .select({ applicationId, objects, waitingSince: sql<number>`min(${changes.markedAt})` })
    .from(changes)
    .groupBy(applicationId, objects)
}

export type Waiting = Awaited<ReturnType<typeof selectAllWaiting>>[number]

/** The earliest of those, in the database of this number, whose figures are shown; read from the control database. */
export function selectShownWaiting(db: Database, waiting: readonly Waiting[], number: number) {
  const rows = waiting.map(({ applicationId, objects, waitingSince }) => [applicationId, objects, waitingSince])
  return db
    .select({ waitingSince: sql<number | null>`min(${cell(2)})` })
    .from(sql`${each(rows)} as r`)
    .innerJoin(applications, sql`${applications.id} = ${cell(0)} and ${applications.objects} = ${cell(1)}`)
    .where(sql`${number} in (select value from json_each(${applications.databases}))`)
}
