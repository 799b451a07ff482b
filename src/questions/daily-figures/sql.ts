import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { Period } from '../../base/time/period.ts'
import type { Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { partsOf } from '../../storage/object-name.ts'
import { applications, changes, dailyFigures, users } from '../../storage/schema.ts'

/** An application, and over how many objects the users are spread whose figures are shown. */
export interface ServingPartitioning {
  readonly applicationId: number
  readonly objects: number
}

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
    .from(sql`${each(partsOf(objects))} as p`)
    .innerJoin(
      dailyFigures,
      sql`${dailyFigures.applicationId} = ${applicationId} and ${dailyFigures.objects} = ${objects}
        and ${dailyFigures.part} = p.value
        and ${dailyFigures.day} = (select max(f.day) from ${dailyFigures} as f where ${isOfPart})`,
    )
    .where(sql`${dailyFigures.monthlyActiveUsers} > 0`)
}

/** How many users of each part were last active on each day of a span. */
export function selectLastActive(db: Database, { applicationId, objects, from, to }: FiguresQuery) {
  const day = sql<number>`${users.lastActiveAt} / 86400000`
  const part = sql<number>`${users.telegramId} % ${objects}`
  return db
    .select({ day: day.as('day'), part: part.as('part'), users: sql<number>`count(*)` })
    .from(users)
    .where(and(eq(users.applicationId, applicationId), sql`${day} between ${from} and ${to}`))
    .groupBy(sql`1`, sql`2`)
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
