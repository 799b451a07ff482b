import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { CurrentDays } from '../../base/time/current-days.ts'
import { hourOf } from '../../base/time/days.ts'
import { addChanges } from '../../storage/changes.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, countIn, dayIn, each, selectFromJson } from '../../storage/json-rows.ts'
import { ALL_PARTS, MAX_OBJECTS, type ObjectKey, partsOf } from '../../storage/object-name.ts'
import { applications, changes, dailyFigures, layouts } from '../../storage/schema.ts'
import type { DailyFigures, MonthlyFigures } from './daily-figures.ts'

/** Something was stored under these names between two moments (milliseconds since 1970 UTC, inclusive). */
export interface StoredChange {
  /** The id of a name; with the bucket, it identifies the change. */
  readonly nameId: number
  /** The names; null for the one of `nameId`. */
  readonly names: readonly number[] | null
  /** The bucket of the moments, numbered by `bucketOf` of `collection/rows.ts`; -1 for all time. */
  readonly bucket: number
  readonly from: number
  readonly to: number
  /** The revision, which grows whenever more is stored. */
  readonly mark: number
}

/** The bucket of a change of every name and all time. */
export const ALL_TIME = -1

/** Selects the changes that an object has not read, newest first, the change of all time last. */
export function selectChanges(db: Database, key: ObjectKey, { limit }: { limit: number }) {
  return selectChangesWhere(db, isOf(changes, key)).orderBy(desc(changes.bucket), desc(changes.nameId)).limit(limit)
}

/** Selects the change of all time, if there is one. */
export function selectAllTime(db: Database, key: ObjectKey) {
  return selectChangesWhere(db, and(isOf(changes, key), eq(changes.bucket, ALL_TIME)))
}

function selectChangesWhere(db: Database, where: SQL | undefined) {
  const { nameId, names, bucket, fromTime, toTime, mark } = changes
  return db.select({ nameId, names, bucket, from: fromTime, to: toTime, mark }).from(changes).where(where)
}

function isOf(table: typeof changes | typeof dailyFigures, { applicationId, objects, part }: ObjectKey): SQL {
  const { applicationId: ofApplication, objects: ofObjects, part: ofPart } = table
  return and(eq(ofApplication, applicationId), eq(ofObjects, objects), eq(ofPart, part)) as SQL
}

/** The figures that one run of an object writes. */
export interface WrittenFigures {
  readonly figures: readonly DailyFigures[]
  /** Days on which only the monthly active users may have changed. */
  readonly monthly: readonly MonthlyFigures[]
  /** The changes that these figures contain, with the marks they had before anything was read. */
  readonly changes: readonly StoredChange[]
  /** When the run began, in milliseconds since 1970 UTC. */
  readonly asOf: number
}

const FIGURES = ['activeUsers', 'monthlyActiveUsers', 'newUsers', 'premiumUsers', 'nonPremiumUsers', 'events'] as const

type Figure = (typeof FIGURES)[number]

export function upsertFigures(db: BatchDatabase, key: ObjectKey, figures: readonly DailyFigures[]) {
  const rows = figures.map((figure) => [figure.day, ...FIGURES.map((name) => figure[name])])
  const cells = Object.fromEntries(FIGURES.map((name, index) => [name, cell(index + 1)]))
  return upsert(db, key, { rows, cells, changing: FIGURES })
}

export function upsertMonthly(db: BatchDatabase, key: ObjectKey, monthly: readonly MonthlyFigures[]) {
  const rows = monthly.map(({ day, monthlyActiveUsers }) => [day, monthlyActiveUsers])
  const zeros = Object.fromEntries(FIGURES.map((name) => [name, sql`0`]))
  const cells = { ...zeros, monthlyActiveUsers: cell(1) }
  return upsert(db, key, { rows, cells, changing: ['monthlyActiveUsers'] })
}

interface Upsert {
  /** Rows, whose first cell is the day. */
  readonly rows: readonly (readonly number[])[]
  readonly cells: Readonly<Record<string, SQL>>
  /** The columns that are updated if the day has figures already. */
  readonly changing: readonly Figure[]
}

/** Whether a partitioning still exists: late writes must not outlive it. */
function isKept({ applicationId, objects }: ObjectKey): SQL {
  const own = sql`select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId}`
  return sql`(exists (${own} and ${layouts.objects} = ${objects}) or (${objects} = 1 and not exists (${own})))`
}

/** Whether the row's day has figures of all partitions together, which are final. */
function isForGood({ applicationId, objects }: ObjectKey): SQL {
  const { day, part } = dailyFigures
  return sql`exists (select 1 from ${dailyFigures} where ${dailyFigures.applicationId} = ${applicationId}
    and ${day} = ${cell(0)} and ${dailyFigures.objects} = ${objects} and ${part} = ${ALL_PARTS})`
}

function upsert(db: BatchDatabase, key: ObjectKey, { rows, cells, changing }: Upsert) {
  const { applicationId, objects, part } = key
  const own = { applicationId: sql`${applicationId}`, objects: sql`${objects}`, part: sql`${part}` }
  const set = Object.fromEntries(
    changing.map((name) => [name, sql`excluded.${sql.identifier(dailyFigures[name].name)}`]),
  )
  return db
    .insert(dailyFigures)
    .select(
      sql`${selectFromJson(dailyFigures, rows, { ...own, day: cell(0), ...cells })} and ${isKept(key)} and not ${isForGood(key)}`,
    )
    .onConflictDoUpdate({
      target: [dailyFigures.applicationId, dailyFigures.day, dailyFigures.objects, dailyFigures.part],
      set,
    })
}

/** Deletes the changes that have not grown since they were read. */
export function deleteChanges(db: BatchDatabase, key: ObjectKey, acknowledged: readonly StoredChange[]) {
  const rows = acknowledged.map(({ bucket, nameId, mark }) => [bucket, nameId, mark])
  const isAcknowledged = sql`(${changes.bucket}, ${changes.nameId}, ${changes.mark}) in
    (select ${cell(0)}, ${cell(1)}, ${cell(2)} from ${each(rows)} as r)`
  return db.delete(changes).where(and(isOf(changes, key), isAcknowledged))
}

/** Dates the changes that are left from this run: they grew during it. */
export function redateChanges(
  db: BatchDatabase,
  key: ObjectKey,
  { changes: acknowledged, asOf }: Pick<WrittenFigures, 'changes' | 'asOf'>,
) {
  const rows = acknowledged.map(({ bucket, nameId }) => [bucket, nameId])
  const isAcknowledged = sql`(${changes.bucket}, ${changes.nameId}) in (select ${cell(0)}, ${cell(1)} from ${each(rows)} as r)`
  return db
    .update(changes)
    .set({ markedAt: asOf })
    .where(and(isOf(changes, key), isAcknowledged))
}

/** The first and last moment of a day at which something was stored under a name, in milliseconds since 1970 UTC. */
interface NameSpanOfDay {
  readonly nameId: number
  readonly from: number
  readonly to: number
}

/** Makes an object read days of names again: adds a change for each, as long as the day. */
export function markDays(db: Database, key: ObjectKey, { days, now }: { days: readonly NameSpanOfDay[]; now: number }) {
  const { applicationId, objects, part } = key
  const values = {
    applicationId: sql`${applicationId}`,
    objects: sql`${objects}`,
    part: sql`${part}`,
    nameId: cell(0),
    bucket: cell(1),
    fromTime: cell(2),
    toTime: cell(3),
    mark: sql`1`,
    markedAt: sql`${now}`,
    names: sql`null`,
  }
  const rows = days.map(({ nameId, from, to }) => [nameId, hourOf(from), from, to])
  return addChanges(db, sql`${selectFromJson(changes, rows, values)} and ${isKept(key)}`)
}

/** Selects one page of the objects that have changes, in order. */
export function selectChanged(db: Database, { limit, offset }: { limit: number; offset: number }) {
  return selectEveryChanged(db).limit(limit).offset(offset)
}

function selectEveryChanged(db: Database) {
  const { applicationId, objects, part } = changes
  return db.selectDistinct({ applicationId, objects, part }).from(changes).orderBy(applicationId, objects, part)
}

export function countChanged(db: Database) {
  return db.select({ count: sql<number>`count(*)` }).from(selectEveryChanged(db).as('changed'))
}

/** Counts the objects that have a change stored before a moment. */
export function selectBehind(db: Database, before: number) {
  const behind = selectEveryChanged(db).where(lt(changes.markedAt, before)).as('behind')
  return db.select({ count: sql<number>`count(*)` }).from(behind)
}

export function selectNewestApplication(db: Database) {
  return db.select({ id: sql<number | null>`max(${applications.id})` }).from(applications)
}

/** Selects the time zones of all partitionings, each once. */
export function selectTimeZones(db: Database) {
  return db.selectDistinct({ timeZone: layouts.timeZone }).from(layouts)
}

export interface Due {
  /** The current day of each partitioning. */
  readonly today: CurrentDays
  /** A range of application ids; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Selects the objects that lack figures of a day up to tomorrow and had monthly active users on the day before it. */
export function selectDue(db: Database, { today, from, to }: Due) {
  const objects = sql<number>`coalesce(${layouts.objects}, 1)`
  const part = sql<number>`p.value`
  const isOfPart = sql`f.application_id = ${applications.id} and f.objects = ${objects} and f.part = ${part}`
  return db
    .select({ applicationId: applications.id, objects, part })
    .from(applications)
    .leftJoin(layouts, eq(layouts.applicationId, applications.id))
    .crossJoin(sql`${each(partsOf(MAX_OBJECTS))} as p`)
    .where(sql`${applications.id} >= ${from} and ${applications.id} < ${to} and ${part} < ${countIn(objects)} and (
      select f.day <= ${dayIn(layouts.timeZone, today)} and f.monthly_active_users > 0 from ${dailyFigures} as f
      where ${isOfPart} order by f.day desc limit 1)`)
}
