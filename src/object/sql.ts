import { and, eq, exists, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { LOOK_BACK_DAYS } from '../accounts/applications/kept.ts'
import type { Placement } from '../storage/activity.ts'
import type { Database } from '../storage/database.ts'
import { cell, each } from '../storage/json-rows.ts'
import { ALL_PARTS, type ObjectKey, type Partitioning } from '../storage/object-name.ts'
import { applications, changes, dailyFigures, jobs, layouts } from '../storage/schema.ts'

/** Milliseconds since 1970 UTC. */
interface At {
  readonly now: number
}

function isOf(
  table: typeof layouts | typeof changes | typeof dailyFigures,
  { applicationId, objects }: Partitioning,
): SQL {
  return and(eq(table.applicationId, applicationId), eq(table.objects, objects)) as SQL
}

const LAST_TIME = 8_640_000_000_000_000

/**
 * A change of all time that begins here asks its object to forget what it knows and read everything: the database is of another
 * time, or the object of another partitioning, so the ids that it knows may belong to other names, users and contexts now.
 */
export const FORGETTING = -1

/**
 * Asks objects to read everything: a change of all names and all time for each. Its mark is none that the object has seen before,
 * even if the database is of another time, so it does not take this one for one that it has worked off.
 */
export function markAllTime(db: Database, keys: readonly ObjectKey[], { from, now, where = sql`true` }: Marking) {
  const rows = keys.map(({ applicationId, objects, part }) => [applicationId, objects, part])
  const change = sql`select ${cell(0)}, ${cell(1)}, ${cell(2)}, -1, 0, ${from}, ${LAST_TIME}, ${now}, ${now}, null
    from ${each(rows)} as r where ${where}`
  return db
    .insert(changes)
    .select(change)
    .onConflictDoUpdate({
      target: [changes.applicationId, changes.objects, changes.part, changes.bucket, changes.nameId],
      set: {
        mark: sql`max(${changes.mark} + 1, excluded.mark)`,
        fromTime: sql`min(${changes.fromTime}, excluded.from_time)`,
      },
    })
}

interface Marking extends At {
  /** `FORGETTING`, or 0. */
  readonly from: number
  readonly where?: SQL
}

/** Notes in another activity database that both partitionings are kept right from now on. */
export function addPartitionings(db: Database, applicationId: number, objects: readonly number[]) {
  const rows = objects.map((number) => ({ applicationId, objects: number, retiredAt: null }))
  return db.insert(layouts).values(rows).onConflictDoNothing()
}

/** A partitioning that is to be filled, and where the application is supposed to be. */
interface Filled extends Partitioning {
  readonly serving: number
  readonly databases: Placement
}

/**
 * Begins to fill a partitioning, by the directory: where the application is as supposed, has no other partitioning and does not move. Run as one
 * batch, in this order; the last statement returns nothing where it is otherwise. The keys are of the objects that read the
 * directory's own activity.
 */
export function beginFilling(db: Database, filled: Filled, keys: readonly ObjectKey[], now: number) {
  const { applicationId, objects, serving, databases } = filled
  const isSupposed = and(
    eq(applications.id, applicationId),
    eq(applications.objects, serving),
    eq(applications.databases, databases),
  )
  const others = and(eq(layouts.applicationId, applicationId), ne(layouts.objects, serving))
  const moving = and(eq(jobs.applicationId, applicationId), eq(jobs.kind, 'move'))
  const isFree = sql`exists (select 1 from ${applications} where ${isSupposed})
    and not exists (select 1 from ${layouts} where ${others}) and not exists (select 1 from ${jobs} where ${moving})`
  const rows = sql`select ${applicationId}, o.value, null from ${each([serving, objects])} as o where ${isFree}`
  return [
    markAllTime(db, keys, { from: FORGETTING, now, where: isFree }),
    db.insert(layouts).select(rows).onConflictDoNothing().returning({ objects: layouts.objects }),
  ] as const
}

/** Gives up a partitioning that is being filled; not one that answers questions by now. */
export function giveUpPartitioning(db: Database, partitioning: Partitioning & At) {
  return db
    .update(layouts)
    .set({ retiredAt: partitioning.now })
    .where(and(isOf(layouts, partitioning), isNull(layouts.retiredAt), ne(layouts.objects, servingOf(partitioning))))
}

function servingOf({ applicationId }: Pick<Partitioning, 'applicationId'>): SQL {
  return sql`(select ${applications.objects} from ${applications} where ${applications.id} = ${applicationId})`
}

/** The partitionings of an application, the ones that were retired as well; asked of the directory. */
export function selectPartitionings(db: Database, applicationId: number) {
  const rows = sql`
    select ${layouts.objects}, ${layouts.retiredAt} as retired_at from ${layouts} where ${layouts.applicationId} = ${applicationId}
    union all select 1, null where not exists (select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId})`
  return db
    .select({
      objects: sql<number>`l.objects`.as('objects'),
      serving: sql<number>`${servingOf({ applicationId })}`.as('serving'),
      retiredAt: sql<number | null>`l.retired_at`.as('retiredAt'),
    })
    .from(sql`(${rows}) as l`)
    .orderBy(sql`l.objects`)
}

/** How much the objects of each partitioning have yet to read in one activity database. */
export function selectUnread(db: Database, applicationId: number) {
  return db
    .select({
      objects: changes.objects,
      /** Objects that have yet to read everything, or read it anew. */
      reading: sql<number>`sum(${changes.bucket} = -1)`.as('reading'),
      changes: sql<number>`count(*)`.as('changes'),
      waitingSince: sql<number>`min(${changes.markedAt})`.as('waitingSince'),
    })
    .from(changes)
    .where(eq(changes.applicationId, applicationId))
    .groupBy(changes.objects)
}

/** Whether a partitioning answers questions or is being filled to do so: 1 or 0. Of an application that is gone none is. */
export function selectIsWanted(db: Database, { applicationId, objects }: Partitioning) {
  const own = sql`from ${layouts} where ${layouts.applicationId} = ${applicationId}`
  const isThere = sql<number>`exists (select 1 from ${applications} where ${applications.id} = ${applicationId})`
  const isWanted = sql<number>`${isThere} and (exists (select 1 ${own} and ${layouts.objects} = ${objects} and ${layouts.retiredAt} is null)
    or (${objects} = 1 and not exists (select 1 ${own})))`
  return db.select({ isWanted, isThere }).from(sql`(select 1)`)
}

/** A partitioning that is being filled, the one that answers until then, and the databases of their application. */
export interface Filling extends Partitioning {
  readonly serving: number
  readonly databases: Placement
}

/** Partitionings that are to take over, by the directory. */
export function selectFilling(db: Database, { limit }: { limit: number }) {
  const { databases, objects: serving } = applications
  return db
    .select({ applicationId: layouts.applicationId, objects: layouts.objects, serving, databases })
    .from(layouts)
    .innerJoin(applications, eq(applications.id, layouts.applicationId))
    .where(and(isNull(layouts.retiredAt), ne(layouts.objects, applications.objects)))
    .orderBy(layouts.applicationId)
    .limit(limit)
}

/**
 * Of these partitionings those of which, in one activity database, every object has read everything, and nothing waits that was stored
 * before `upTo`.
 */
export function selectReady(db: Database, wanted: readonly Partitioning[], { upTo }: { upTo: number }) {
  const waits = sql`select 1 from ${changes} where ${changes.applicationId} = ${layouts.applicationId}
    and ${changes.objects} = ${layouts.objects} and (${changes.bucket} = -1 or ${changes.markedAt} < ${upTo})`
  const rows = wanted.map(({ applicationId, objects }) => [applicationId, objects])
  return db
    .select({ applicationId: layouts.applicationId, objects: layouts.objects })
    .from(layouts)
    .where(
      sql`(${layouts.applicationId}, ${layouts.objects}) in (select ${cell(0)}, ${cell(1)} from ${each(rows)} as r) and not exists (${waits})`,
    )
}

/** A partitioning, and the one in whose place it is to answer. */
type Promotion = Pick<Filling, 'applicationId' | 'objects' | 'serving'>

/** Lets a partitioning answer questions, and retires the one that did. Run as one batch; a second time it changes nothing. */
export function promote(db: Database, { now, ...promotion }: Promotion & At) {
  const { applicationId, objects, serving } = promotion
  return [
    ...inheritFigures(db, promotion),
    db.update(applications).set({ objects }).where(isDue(promotion)),
    giveUpPartitioning(db, { applicationId, objects: serving, now }),
  ] as const
}

function isDue({ applicationId, objects, serving }: Promotion): SQL {
  const isKept = sql`exists (select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId}
    and ${layouts.objects} = ${objects} and ${layouts.retiredAt} is null)`
  return and(eq(applications.id, applicationId), eq(applications.objects, serving), isKept) as SQL
}

/**
 * Of days before those about which everything is known, the new objects have read too little, or nothing: the figures of the
 * partitioning before stay.
 */
function inheritFigures(db: Database, promotion: Promotion) {
  const { applicationId, objects, serving } = promotion
  const { day, activeUsers, monthlyActiveUsers, newUsers, premiumUsers, nonPremiumUsers, events } = dailyFigures
  // Null where everything is kept: nothing is earlier then.
  const since = sql`(select ${applications.keptFrom} + ${LOOK_BACK_DAYS} from ${applications} where ${isDue(promotion)})`
  const isEarlier = (partitioning: Partitioning) => and(isOf(dailyFigures, partitioning), sql`${day} < ${since}`)
  const sums = [activeUsers, monthlyActiveUsers, newUsers, premiumUsers, nonPremiumUsers, events].map(
    (figure) => sql`sum(${figure})`,
  )
  const inherited = sql`select ${applicationId}, ${day}, ${objects}, ${ALL_PARTS}, ${sql.join(sums, sql`, `)}
    from ${dailyFigures} where ${isEarlier({ applicationId, objects: serving })} group by ${day}`
  return [
    db.delete(dailyFigures).where(isEarlier({ applicationId, objects })),
    db.insert(dailyFigures).select(inherited),
  ] as const
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

/** Partitionings that were retired before this moment and answer nothing, and the databases of their application. */
export function selectRetired(db: Database, { before, limit }: { before: number; limit: number }) {
  return db
    .select({ applicationId: layouts.applicationId, objects: layouts.objects, databases: applications.databases })
    .from(layouts)
    .leftJoin(applications, eq(applications.id, layouts.applicationId))
    .where(and(lt(layouts.retiredAt, before), sql`${layouts.objects} is not ${applications.objects}`))
    .limit(limit)
}

/** Deletes all that the directory has of a retired partitioning. Run as one batch; where it comes late, the partitioning may be in use again. */
export function dropPartitioning(db: Database, partitioning: Partitioning) {
  const isRetired = exists(selectWhetherRetired(db, partitioning))
  return [
    db.delete(changes).where(and(isOf(changes, partitioning), isRetired)),
    db.delete(dailyFigures).where(and(isOf(dailyFigures, partitioning), isRetired)),
    db.delete(layouts).where(and(isOf(layouts, partitioning), isNotNull(layouts.retiredAt))),
  ] as const
}

/** A row if the directory still says that a partitioning was retired. */
export function selectWhetherRetired(db: Database, partitioning: Partitioning) {
  return db
    .select({ objects: layouts.objects })
    .from(layouts)
    .where(and(isOf(layouts, partitioning), isNotNull(layouts.retiredAt)))
}

/** Deletes all that an activity database other than the first has of a partitioning. Run as one batch. */
export function dropPartitioningIn(db: Database, partitioning: Partitioning) {
  return [
    db.delete(changes).where(isOf(changes, partitioning)),
    db.delete(layouts).where(isOf(layouts, partitioning)),
  ] as const
}
