import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import { ALL_PARTS, type ObjectKey, type Partitioning } from '../storage/object-name.ts'
import { applications, dailyFigures, layouts } from '../storage/schema.ts'

/** 1 if a partitioning answers questions or is being filled to do so, else 0. A deleted application has none. */
export function selectIsWanted(db: Database, { applicationId, objects }: Partitioning) {
  const own = sql`from ${layouts} where ${layouts.applicationId} = ${applicationId}`
  const isThere = sql<number>`exists (select 1 from ${applications} where ${applications.id} = ${applicationId})`
  const isWanted = sql<number>`${isThere} and (exists (select 1 ${own} and ${layouts.objects} = ${objects} and ${layouts.retiredAt} is null)
    or (${objects} = 1 and not exists (select 1 ${own})))`
  return db.select({ isWanted, isThere }).from(sql`(select 1)`)
}

/** A row if daily figures of an object's users were ever written, by it or by the objects of another partitioning. */
export function selectWhetherCounted(db: Database, { applicationId, objects, part }: ObjectKey) {
  const isOfUsers = or(ne(dailyFigures.objects, objects), inArray(dailyFigures.part, [part, ALL_PARTS]))
  return db
    .select({ day: dailyFigures.day })
    .from(dailyFigures)
    .where(and(eq(dailyFigures.applicationId, applicationId), isOfUsers))
    .limit(1)
}

/**
 * What the directory says of an application, and the time zone of one of its partitionings: null if the directory does not know
 * that. Nothing if the application is gone.
 */
export function selectSurroundings(db: Database, { applicationId, objects }: Partitioning) {
  const { id, databases, keptFrom, timeZone } = applications
  const own = and(eq(layouts.applicationId, id), eq(layouts.objects, objects))
  return db
    .select({ databases, keptFrom, timeZone, ownZone: sql<string | null>`${layouts.timeZone}`.as('ownZone') })
    .from(applications)
    .leftJoin(layouts, own)
    .where(eq(id, applicationId))
}
