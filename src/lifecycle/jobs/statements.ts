import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { KEY_BELOW, MEMBERS } from '../../collection/identity.ts'
import { REMEMBERED } from '../../columns/remembered.ts'
import { addChanges } from '../../storage/changes.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, countIn, each } from '../../storage/json-rows.ts'
import { eventIds, events, jobs, keyOf, layouts } from '../../storage/schema.ts'

/** Long work on an application's activity. Its `progress` is its parameters, and the note that its last step left. */
export type Job = Pick<typeof jobs.$inferSelect, 'id' | 'applicationId' | 'kind' | 'progress'>

export type JobKind = Job['kind']

export interface NewJob extends Omit<Job, 'id'> {
  readonly progress: object
  readonly now: number
}

/** Adds a job. Wake the application's object afterwards. */
export function addJob(db: Database, { now, ...job }: NewJob) {
  return db.insert(jobs).values({ ...job, createdAt: now, updatedAt: now })
}

/** Adds a job for each of these applications that has none of this kind yet. */
export function addOnlyJobs(
  db: Database,
  applicationIds: readonly number[],
  { kind, progress, now }: Omit<NewJob, 'applicationId'>,
) {
  const same = sql`select 1 from ${jobs} where ${jobs.applicationId} = r.value and ${jobs.kind} = ${kind}`
  return db
    .insert(jobs)
    .select(
      sql`select null, r.value, ${kind}, ${JSON.stringify(progress)}, ${now}, ${now} from ${each(applicationIds)} as r where not exists (${same})`,
    )
}

/** The oldest job of an application, if there is one. Retention is never urgent, so it comes last. */
export function selectNextJob(db: Database, applicationId: number) {
  const { id, kind, progress } = jobs
  return db
    .select({ id, applicationId: jobs.applicationId, kind, progress })
    .from(jobs)
    .where(eq(jobs.applicationId, applicationId))
    .orderBy(sql`${kind} = 'retain'`, asc(id))
    .limit(1)
}

/** The notes of an application's jobs of this kind. */
export function selectProgress(db: Database, applicationId: number, kind: JobKind) {
  return db
    .select({ progress: jobs.progress })
    .from(jobs)
    .where(and(eq(jobs.applicationId, applicationId), eq(jobs.kind, kind)))
}

/** Whether a job is as it was read: another run may have gone on with it. */
function isAsRead({ id, progress }: Job) {
  return and(eq(jobs.id, id), eq(jobs.progress, progress))
}

/** The job, if it is as it was read. */
export function selectAsRead(db: Database, job: Job) {
  return db.select({ id: jobs.id }).from(jobs).where(isAsRead(job))
}

/** Does nothing if the job is not as it was read. */
export function updateProgress(db: Database, job: Job, { progress, now }: Pick<NewJob, 'progress' | 'now'>) {
  return db.update(jobs).set({ progress, updatedAt: now }).where(isAsRead(job))
}

/** Does nothing if the job is not as it was read. */
export function deleteJob(db: Database, job: Job) {
  return db.delete(jobs).where(isAsRead(job))
}

/** Deletes all jobs of an application except those that delete it. */
export function giveUpJobs(db: Database, applicationId: number) {
  return db.delete(jobs).where(and(eq(jobs.applicationId, applicationId), ne(jobs.kind, 'delete')))
}

export function selectApplicationsWithJobs(db: Database) {
  return db.selectDistinct({ applicationId: jobs.applicationId }).from(jobs).orderBy(jobs.applicationId)
}

/** The partitionings of an application that are kept up to date: rows of `objects`. */
export function partitioningsOf(applicationId: number): SQL {
  return sql`select objects from ${layouts} where application_id = ${applicationId}
    union all select 1 where not exists (select 1 from ${layouts} where application_id = ${applicationId})`
}

interface RememberedMark {
  readonly applicationId: number
  /** Remainders of messenger ids for the greatest number of objects. */
  readonly slots: readonly number[]
  /** Messenger ids, both inclusive. */
  readonly from: number
  readonly to: number
  readonly now: number
}

/** Asks the objects of these users to read what the database remembers of their users. */
export function markRemembered(db: Database, { applicationId, slots, from, to, now }: RememberedMark) {
  const rows = sql`
    select distinct ${applicationId}, l.objects, s.value % ${countIn(sql`l.objects`)}, 0, ${REMEMBERED}, ${from}, ${to}, 1, ${now}, null
    from (${partitioningsOf(applicationId)}) as l cross join ${each(slots)} as s
    where true`
  return addChanges(db, rows)
}

export interface RowPage {
  readonly table: SQLiteTable
  readonly applicationId: number
  /** A further condition for each row `t`. */
  readonly where?: SQL
  /** A condition without which nothing is deleted. */
  readonly onlyIf?: SQL
  /** The most rows to return; all by default. */
  readonly limit?: number
}

export function deleteRows(db: BatchDatabase, { table, applicationId, where, onlyIf, limit = -1 }: RowPage) {
  const names = keyOf(table).map(({ name }) => name)
  const key = sql.raw(names.join(', ') || 'id')
  const page = sql`select ${key} from ${table} as t where t.application_id = ${applicationId} and ${where ?? sql`true`} limit ${limit}`
  const isOfPage = sql`(${key}) in (${page}) and ${onlyIf ?? sql`true`}`
  return db.delete(table).where(names.length > 0 ? sql`application_id = ${applicationId} and ${isOfPage}` : isOfPage)
}

/** Identifies an event of an application, in the order in which events are stored. */
export type EventKey = readonly [nameId: number, time: number, telegramId: number, key: number]

/** Events: rows of `name_id`, `time`, `telegram_id` and `event_key`. */
export type EventRows = SQL

export function theseEvents(keys: readonly EventKey[]): EventRows {
  return sql`select ${cell(0)} as name_id, ${cell(1)} as time, ${cell(2)} as telegram_id, ${cell(3)} as event_key
    from ${each(keys)} as r`
}

/** Deletes these events with their ids. Run as one batch. */
export function deleteEvents(db: Database, applicationId: number, rows: EventRows) {
  const keys = sql`select r.name_id, r.time, r.telegram_id, r.event_key from (${rows}) as r`
  return [
    ...deleteIds(db, applicationId, rows),
    db
      .delete(events)
      .where(sql`application_id = ${applicationId} and (name_id, time, telegram_id, event_key) in (${keys})`),
  ] as const
}

/** Deletes the ids of these events. Run as one batch, in this order: the rows that hold no others, then members of the rest. */
export function deleteIds(db: Database, applicationId: number, rows: EventRows) {
  const leaving = sql`
    select i.event_id, i.members & ~sum(distinct i.bit) as others from (${idsOfKeys(applicationId, rows)}) as i group by i.event_id`
  return [
    db
      .delete(eventIds)
      .where(
        sql`application_id = ${applicationId} and event_id in (select event_id from (${leaving}) where others = 0)`,
      ),
    db
      .update(eventIds)
      .set({ members: sql`l.others` })
      .from(sql`(${leaving}) as l`)
      .where(sql`${eventIds.applicationId} = ${applicationId} and ${eventIds.eventId} = l.event_id`),
  ] as const
}

/**
 * The ids that are stored of these event keys (rows with `event_key`): rows of `event_id`, `members`, `bit` (of the member) and `id` (in
 * hexadecimal). A key is the first 48 bits of an id without the first one; see `memberOf` for how ids lie in rows.
 */
export function idsOfKeys(applicationId: number, keys: SQL): SQL {
  const member = sql`p.prefix % ${sql.raw(String(MEMBERS))}`
  const [whole, row] = [sql`p.prefix`, sql`p.prefix - ${member}`].map((prefix) => sql`printf('%012x', ${prefix})`)
  const bit = sql`(1 << iif(substr(i.event_id, 1, 6) = unhex(${row}), ${member}, 0))`
  return sql`
    select i.event_id, i.members, ${bit} as bit, ${whole} || lower(substr(hex(i.event_id), 13)) as id
    from (select k.event_key + high.value as prefix from (${keys}) as k cross join ${each([0, KEY_BELOW])} as high) as p
    cross join ${eventIds} as i on i.application_id = ${applicationId}
      and i.event_id between unhex(${row}) and unhex(${whole} || 'ffffffffffffffffffff')
      and substr(i.event_id, 1, 6) in (unhex(${row}), unhex(${whole}))
      and i.members & ${bit}`
}
