import { and, eq, exists, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import { each } from '../storage/json-rows.ts'
import { applications, changes, dailyFigures, layouts } from '../storage/schema.ts'
import { MAX_OBJECTS, partsOf } from './object-name.ts'

/** A layout of an application: over how many objects its users are spread. */
export interface Layout {
  readonly applicationId: number
  readonly objects: number
}

/** Milliseconds since 1970 UTC. */
interface At {
  readonly now: number
}

function isOf(table: typeof layouts | typeof changes | typeof dailyFigures, { applicationId, objects }: Layout): SQL {
  return and(eq(table.applicationId, applicationId), eq(table.objects, objects)) as SQL
}

const LAST_TIME = 8_640_000_000_000_000

/**
 * Asks each object of a layout to read everything: a change of all names and all time. Its mark is none that the object has seen
 * before, so it does not take this one for one that it has worked off.
 */
function markAllTime(db: Database, applicationId: number, { objects, now }: { objects: SQL } & At) {
  const row = sql`select ${applications.id}, ${objects}, p.value, -1, 0, 0, ${LAST_TIME}, ${now}, ${now}
    from ${applications} cross join ${each(partsOf(MAX_OBJECTS))} as p where ${applications.id} = ${applicationId} and p.value < ${objects}`
  return db
    .insert(changes)
    .select(row)
    .onConflictDoUpdate({
      target: [changes.applicationId, changes.objects, changes.part, changes.hour, changes.nameId],
      set: { mark: sql`${changes.mark} + 1` },
    })
}

/** Reads the columns that answer questions anew from the database. */
export function rebuild(db: Database, { applicationId, now }: { applicationId: number } & At) {
  return markAllTime(db, applicationId, { objects: sql`${applications.objects}`, now })
}

/** Begins to spread users over another number of objects. Run both as one batch: from then on deliveries mark changes of both. */
export function addLayout(db: Database, { applicationId, objects, now }: Layout & At) {
  const of = sql`from ${applications} where ${applications.id} = ${applicationId}`
  const kept = sql`select ${applications.id}, ${applications.objects}, null ${of} union select ${applications.id}, ${objects}, null ${of}`
  return [
    db.insert(layouts).select(kept).onConflictDoNothing(),
    markAllTime(db, applicationId, { objects: sql`${objects}`, now }),
  ] as const
}

/** Gives up a layout that is being filled; not one that answers questions by now. */
export function giveUpLayout(db: Database, layout: Layout & At) {
  return db
    .update(layouts)
    .set({ retiredAt: layout.now })
    .where(and(isOf(layouts, layout), isNull(layouts.retiredAt), ne(layouts.objects, servingOf(layout))))
}

function servingOf({ applicationId }: Pick<Layout, 'applicationId'>): SQL {
  return sql`(select ${applications.objects} from ${applications} where ${applications.id} = ${applicationId})`
}

/** How far each layout of an application is, the ones that were retired as well. */
export function selectLayouts(db: Database, applicationId: number) {
  const own = sql`from ${changes} as c where c.application_id = ${applicationId} and c.objects = l.objects`
  const rows = sql`
    select ${layouts.objects}, ${layouts.retiredAt} as retired_at from ${layouts} where ${layouts.applicationId} = ${applicationId}
    union all select 1, null where not exists (select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId})`
  return db
    .select({
      objects: sql<number>`l.objects`.as('objects'),
      serving: sql<number>`${servingOf({ applicationId })}`.as('serving'),
      retiredAt: sql<number | null>`l.retired_at`.as('retiredAt'),
      /** Objects that have yet to read everything, or read it anew. */
      reading: sql<number>`(select count(*) ${own} and c.hour = -1)`.as('reading'),
      changes: sql<number>`(select count(*) ${own})`.as('changes'),
      waitingSince: sql<number | null>`(select min(c.marked_at) ${own})`.as('waitingSince'),
    })
    .from(sql`(${rows}) as l`)
    .orderBy(sql`l.objects`)
}

/** Whether a layout answers questions or is being filled to do so: 1 or 0. */
export function selectIsWanted(db: Database, { applicationId, objects }: Layout) {
  const own = sql`from ${layouts} where ${layouts.applicationId} = ${applicationId}`
  const isWanted = sql<number>`exists (select 1 ${own} and ${layouts.objects} = ${objects} and ${layouts.retiredAt} is null)
    or (${objects} = 1 and not exists (select 1 ${own}))`
  return db.select({ isWanted }).from(sql`(select 1)`)
}

/** A layout that may take over, and the one that answers until then. */
export interface Ready extends Layout {
  readonly serving: number
}

/** Layouts of which every object has read everything, and nothing waits that was stored before `upTo`. */
export function selectReady(db: Database, { upTo, limit }: { upTo: number; limit: number }) {
  const waits = sql`select 1 from ${changes} where ${changes.applicationId} = ${layouts.applicationId}
    and ${changes.objects} = ${layouts.objects} and (${changes.hour} = -1 or ${changes.markedAt} < ${upTo})`
  return db
    .select({ applicationId: layouts.applicationId, objects: layouts.objects, serving: applications.objects })
    .from(layouts)
    .innerJoin(applications, eq(applications.id, layouts.applicationId))
    .where(and(isNull(layouts.retiredAt), ne(layouts.objects, applications.objects), sql`not exists (${waits})`))
    .limit(limit)
}

/** Lets a layout answer questions, and retires the one that did. Run as one batch; a second time it changes nothing. */
export function promote(db: Database, { applicationId, objects, serving, now }: Ready & At) {
  const isKept = sql`exists (select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId}
    and ${layouts.objects} = ${objects} and ${layouts.retiredAt} is null)`
  return [
    db
      .update(applications)
      .set({ objects })
      .where(and(eq(applications.id, applicationId), eq(applications.objects, serving), isKept)),
    giveUpLayout(db, { applicationId, objects: serving, now }),
  ] as const
}

export function selectRetired(db: Database, { before, limit }: { before: number; limit: number }) {
  return db
    .select({ applicationId: layouts.applicationId, objects: layouts.objects })
    .from(layouts)
    .where(lt(layouts.retiredAt, before))
    .limit(limit)
}

/** Deletes all that the database has of a retired layout. Run as one batch; where it comes late, the layout may be in use again. */
export function dropLayout(db: Database, layout: Layout) {
  const retired = and(isOf(layouts, layout), isNotNull(layouts.retiredAt))
  const isRetired = exists(db.select({ objects: layouts.objects }).from(layouts).where(retired))
  return [
    db.delete(changes).where(and(isOf(changes, layout), isRetired)),
    db.delete(dailyFigures).where(and(isOf(dailyFigures, layout), isRetired)),
    db.delete(layouts).where(retired),
  ] as const
}
