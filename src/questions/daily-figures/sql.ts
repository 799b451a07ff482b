import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { Period } from '../../base/time/period.ts'
import type { Database } from '../../storage/database.ts'
import { cell, countIn, each } from '../../storage/json-rows.ts'
import { countOf, type Partitioning, partsOf } from '../../storage/object-name.ts'
import { applications, changes, dailyFigures, users } from '../../storage/schema.ts'

/** An application, and the number of the partitioning whose figures are shown. */
export type ServingPartitioning = Partitioning

/** A period of one application's figures. */
export interface FiguresQuery extends Period, ServingPartitioning {}

/** Selects the figures of a period, added up over partitions. Days without figures have no row. */
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

/** Selects each partition's newest day with figures, if it has active users: they may still count on later days. */
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

/** When days begin, from `first` on, in milliseconds since 1970 UTC. The last moment ends the last day. */
export interface DayBounds {
  readonly first: number
  readonly starts: readonly number[]
}

/** Selects how many users of each partition were last active on each of these days. */
export function selectLastActive(
  db: Database,
  { applicationId, objects }: ServingPartitioning,
  { first, starts }: DayBounds,
) {
  const rows = starts.slice(0, -1).map((start, index) => [first + index, start])
  // One pass over days and users in order of time: a user's day is the latest that has begun.
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

/** Selects, per partition, since when something stored is not in its figures yet. */
export function selectWaiting(db: Database, { applicationId, objects }: ServingPartitioning) {
  return db
    .select({ part: changes.part, waitingSince: sql<number>`min(${changes.markedAt})` })
    .from(changes)
    .where(and(eq(changes.applicationId, applicationId), eq(changes.objects, objects)))
    .groupBy(changes.part)
}

/** Selects, per application and partitioning in a database, since when something stored is not in its figures yet. */
export function selectAllWaiting(db: Database) {
  const { applicationId, objects } = changes
  return db
    .select({ applicationId, objects, waitingSince: sql<number>`min(${changes.markedAt})` })
    .from(changes)
    .groupBy(applicationId, objects)
}

export type Waiting = Awaited<ReturnType<typeof selectAllWaiting>>[number]

/** Selects the earliest of these moments whose partitioning is shown and uses the database of this number. */
export function selectShownWaiting(db: Database, waiting: readonly Waiting[], number: number) {
  const rows = waiting.map(({ applicationId, objects, waitingSince }) => [applicationId, objects, waitingSince])
  return db
    .select({ waitingSince: sql<number | null>`min(${cell(2)})` })
    .from(sql`${each(rows)} as r`)
    .innerJoin(applications, sql`${applications.id} = ${cell(0)} and ${applications.objects} = ${cell(1)}`)
    .where(sql`${number} in (select value from json_each(${applications.databases}))`)
}
