import { and, eq, exists, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { dataSince } from '../../accounts/applications/kept.ts'
import { FORGETTING } from '../../questions/rollups/changes.ts'
import type { Placement } from '../../storage/activity.ts'
import { addChanges } from '../../storage/changes.ts'
import type { Database } from '../../storage/database.ts'
import { cell, each, selectFromJson } from '../../storage/json-rows.ts'
import { ALL_PARTS, type ObjectKey, type Partitioning } from '../../storage/object-name.ts'
import { applications, changes, dailyFigures, jobs, layouts } from '../../storage/schema.ts'

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
 * Asks objects to read everything: a change of all names and all time for each. Its mark is none that the object has seen before,
 * even if the database is of another time, so it does not take this one for one that it has worked off.
 */
export function markAllTime(db: Database, keys: readonly ObjectKey[], { from, now, where = sql`true` }: Marking) {
  const rows = keys.map(({ applicationId, objects, part }) => [applicationId, objects, part])
  const change = sql`select ${cell(0)}, ${cell(1)}, ${cell(2)}, -1, 0, ${from}, ${LAST_TIME}, ${now}, ${now}, null
    from ${each(rows)} as r where ${where}`
  return addChanges(db, change)
}

interface Marking extends At {
  /** `FORGETTING`, or 0. */
  readonly from: number
  readonly where?: SQL
}

/** A partitioning, and the time zone whose days it counts by. */
export interface ZonedPartitioning extends Partitioning {
  readonly timeZone: string
}

/** Notes in another activity database that all of these partitionings are kept right from now on. */
export function addPartitionings(db: Database, partitionings: readonly ZonedPartitioning[]) {
  return insertPartitionings(db, partitionings, sql`true`)
}

function insertPartitionings(db: Database, partitionings: readonly ZonedPartitioning[], where: SQL) {
  const rows = partitionings.map(({ applicationId, objects, timeZone }) => [applicationId, objects, timeZone])
  const values = { applicationId: cell(0), objects: cell(1), timeZone: cell(2), retiredAt: sql`null` }
  return db
    .insert(layouts)
    .select(sql`${selectFromJson(layouts, rows, values)} and ${where}`)
    .onConflictDoNothing()
    .returning({ objects: layouts.objects })
}

/** A partitioning that is to be filled, the one that answers, and where the application is supposed to be. */
export interface FilledPartitioning extends ZonedPartitioning {
  readonly serving: number
  readonly servingZone: string
  readonly databases: Placement
}

/** An application has at most this many others than the one that answers, so that deliveries do not mark changes of ever more. */
export const MOST_OTHERS = 3

/**
 * Begins to fill a partitioning, by the directory: where the application is as supposed, fills no other one and does not move. Run as one
 * batch, in this order; the last statement returns nothing if it is otherwise. The keys are of the objects that read the
 * directory's own activity.
 */
export function beginFilling(db: Database, filled: FilledPartitioning, keys: readonly ObjectKey[], now: number) {
  const { applicationId, objects, serving, servingZone, databases } = filled
  const isSupposed = and(
    eq(applications.id, applicationId),
    eq(applications.objects, serving),
    eq(applications.timeZone, servingZone),
    eq(applications.databases, databases),
  )
  const isOther = and(eq(layouts.applicationId, applicationId), ne(layouts.objects, serving))
  const isInTheWay = and(isOther, or(isNull(layouts.retiredAt), eq(layouts.objects, objects)))
  const moving = and(eq(jobs.applicationId, applicationId), eq(jobs.kind, 'move'))
  const isFree = sql`exists (select 1 from ${applications} where ${isSupposed})
    and not exists (select 1 from ${layouts} where ${isInTheWay})
    and (select count(*) from ${layouts} where ${isOther}) < ${MOST_OTHERS}
    and not exists (select 1 from ${jobs} where ${moving})`
  return [
    markAllTime(db, keys, { from: FORGETTING, now, where: isFree }),
    insertPartitionings(db, [{ applicationId, objects: serving, timeZone: servingZone }, filled], isFree),
  ] as const
}

/** Gives up a partitioning that is being filled; not one that answers questions by now. */
export function giveUpPartitioning(db: Database, partitioning: Partitioning & At) {
  return db
    .update(layouts)
    .set({ retiredAt: partitioning.now })
    .where(and(isOf(layouts, partitioning), isNull(layouts.retiredAt), ne(layouts.objects, servingOf(partitioning))))
    .returning({ objects: layouts.objects })
}

function servingOf({ applicationId }: Pick<Partitioning, 'applicationId'>): SQL {
  return sql`(select ${applications.objects} from ${applications} where ${applications.id} = ${applicationId})`
}

/** The partitionings of an application, the ones that were retired as well; asked of the directory. */
export function selectPartitionings(db: Database, applicationId: number) {
  const rows = sql`
    select ${layouts.objects}, ${layouts.timeZone} as time_zone, ${layouts.retiredAt} as retired_at from ${layouts}
      where ${layouts.applicationId} = ${applicationId}
    union all select 1, 'UTC', null where not exists (select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId})`
  return db
    .select({
      objects: sql<number>`l.objects`.as('objects'),
      timeZone: sql<string>`l.time_zone`.as('timeZone'),
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
      /** Objects that have yet to read everything, or read it again. */
      reading: sql<number>`sum(${changes.bucket} = -1)`.as('reading'),
      changes: sql<number>`count(*)`.as('changes'),
      waitingSince: sql<number>`min(${changes.markedAt})`.as('waitingSince'),
    })
    .from(changes)
    .where(eq(changes.applicationId, applicationId))
    .groupBy(changes.objects)
}

/** A partitioning that is being filled, the one that answers until then, and what the directory says of their application. */
export interface Filling extends FilledPartitioning {
  /** The first day that is kept, in the zone of the one that answers; null: all are. */
  readonly keptFrom: number | null
}

/** Partitionings that are to take over, by the directory: of all applications, or of one. */
export function selectFilling(db: Database, { limit, applicationId: of }: { limit: number; applicationId?: number }) {
  const { databases, keptFrom, objects: serving, timeZone: servingZone } = applications
  const { applicationId, objects, timeZone } = layouts
  return db
    .select({ applicationId, objects, timeZone, serving, servingZone, databases, keptFrom })
    .from(layouts)
    .innerJoin(applications, eq(applications.id, applicationId))
    .where(and(isNull(layouts.retiredAt), ne(objects, serving), of === undefined ? undefined : eq(applicationId, of)))
    .orderBy(applicationId)
    .limit(limit)
}

/**
 * Selects which of these partitionings an activity database knows; ready is 1 if every object has read everything there, and nothing waits
 * that was stored before `upTo`.
 */
export function selectReadiness(db: Database, wanted: readonly Partitioning[], { upTo }: { upTo: number }) {
  const waits = sql`select 1 from ${changes} where ${changes.applicationId} = ${layouts.applicationId}
    and ${changes.objects} = ${layouts.objects} and (${changes.bucket} = -1 or ${changes.markedAt} < ${upTo})`
  const rows = wanted.map(({ applicationId, objects }) => [applicationId, objects])
  return db
    .select({
      applicationId: layouts.applicationId,
      objects: layouts.objects,
      isReady: sql<number>`not exists (${waits})`.as('isReady'),
    })
    .from(layouts)
    .where(
      sql`(${layouts.applicationId}, ${layouts.objects}) in (select ${cell(0)}, ${cell(1)} from ${each(rows)} as r)`,
    )
}

/** A partitioning that is to answer, and the one in whose place. */
interface Promotion extends Omit<Filling, 'databases' | 'servingZone'> {
  /** The first day that is kept, in its own zone. */
  readonly keptFromThen: number | null
}

/** Lets a partitioning answer questions, and retires the one that did. Run as one batch; a second time it changes nothing. */
export function promote(db: Database, { now, ...promotion }: Promotion & At) {
  const { applicationId, objects, timeZone, serving, keptFromThen } = promotion
  return [
    ...inheritFigures(db, promotion),
    db.update(applications).set({ objects, timeZone, keptFrom: keptFromThen }).where(isDue(promotion)),
    giveUpPartitioning(db, { applicationId, objects: serving, now }),
  ] as const
}

/** Whether it is still to take over, and the first day that is kept is still the one that was read. */
function isDue({ applicationId, objects, serving, keptFrom }: Promotion): SQL {
  const isFilled = sql`exists (select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId}
    and ${layouts.objects} = ${objects} and ${layouts.retiredAt} is null)`
  const isKept = sql`${applications.keptFrom} is ${keptFrom}`
  return and(eq(applications.id, applicationId), eq(applications.objects, serving), isFilled, isKept) as SQL
}

/**
 * Keeps the figures that the partitioning before has of days before those about which everything is known, those of a date for the
 * same date: the new objects have read too little of these days, or nothing.
 */
function inheritFigures(db: Database, promotion: Promotion) {
  const { applicationId, objects, serving, keptFromThen } = promotion
  const { day, activeUsers, monthlyActiveUsers, newUsers, premiumUsers, nonPremiumUsers, events } = dailyFigures
  // Null where everything is kept: nothing is earlier then.
  const first = keptFromThen === null ? null : dataSince(keptFromThen)
  const since = sql`(select ${first} from ${applications} where ${isDue(promotion)})`
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

/** Selects a row if the directory still lists the partitioning as retired. */
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
