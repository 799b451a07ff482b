import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { EMPTY_CONTEXT_CELLS } from '../../base/event.ts'
import { idsOf, type Placement, type UserShare } from '../../storage/activity.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, countIn, each, isOfShare } from '../../storage/json-rows.ts'
import {
  applications,
  changes,
  contexts,
  eventIds,
  eventNames,
  events,
  jobs,
  keyOf,
  layouts,
  sessions,
  users,
} from '../../storage/schema.ts'
import { isErasedText, textsOf } from '../../storage/texts.ts'
import { deleteRows, type Job, selectAsRead } from '../jobs/statements.ts'

/** An activity table, in the order in which an application's rows are read. */
interface Table {
  readonly table: SQLiteTable
  /** Columns that identify a row within an application, in the order of an index after the application. */
  readonly key: readonly SQLiteColumn[]
  /** The user whose row it is; without it, each database of the application has the row. */
  readonly user?: SQLiteColumn
}

/** What is moved, in this order: referenced tables first. */
const TABLES = {
  names: { table: eventNames, key: [eventNames.name] },
  contexts: { table: contexts, key: [contexts.fingerprint] },
  users: { table: users, key: keyOf(users), user: users.telegramId },
  sessions: { table: sessions, key: keyOf(sessions), user: sessions.telegramId },
  events: { table: events, key: keyOf(events), user: events.telegramId },
  // An id does not name its user, so all databases get all of them. Superfluous ones do no harm.
  eventIds: { table: eventIds, key: keyOf(eventIds) },
  layouts: { table: layouts, key: keyOf(layouts) },
  // A partition is in one database, because the number of objects is a multiple of the number of databases.
  changes: { table: changes, key: keyOf(changes), user: changes.part },
} as const satisfies Record<string, Table>

export type TableName = keyof typeof TABLES

export const TABLE_NAMES = Object.keys(TABLES) as TableName[]

/** The tables whose rows have a user. */
export const USER_TABLES: readonly TableName[] = TABLE_NAMES.filter((name) => 'user' in TABLES[name])

function tableOf(name: TableName): Table {
  return TABLES[name]
}

function columnsOf(name: TableName): SQLiteColumn[] {
  return Object.values(getTableColumns(tableOf(name).table))
}

/** The index of a column in a copied row; -1 if there is none. */
export function indexOf(name: TableName, column: string): number {
  return columnsOf(name).findIndex((own) => own.name === column)
}

export interface RowQuery {
  readonly applicationId: number
  /** Null: all users. */
  readonly users: UserShare | null
  /** Excludes these users. */
  readonly without?: readonly number[]
  /** The key of the row before; null: from the first row on. */
  readonly after: Key | null
  readonly limit: number
}

/** The values of the columns of a key, bytes in hexadecimal. */
export type Key = readonly (string | number)[]

/** The most bytes of one read, without its last row: a bound value may be 2 MB long. */
const PAGE_BYTES = 1_000_000

/**
 * A page of rows, in the order of their keys: a JSON array of arrays of their columns' values, and how many they are. The database
 * writes the JSON, as some of its numbers are too long for JavaScript.
 */
export function selectPage(db: Database, name: TableName, query: RowQuery) {
  const cells = list(columnsOf(name).map(toJson))
  return db.select({ rows: sql<string>`json_group_array(json(row))`, count: sql<number>`count(*)` }).from(
    sql`(select row from (
        select row, sum(length(cast(row as blob))) over (rows between unbounded preceding and 1 preceding) as bytes
        from (select json_array(${cells}) as row from (${selectOwn(name, query)}) as t)
      ) where ifnull(bytes, 0) <= ${PAGE_BYTES})`,
  )
}

/** How many rows a page has, and the key of the last one. */
export function countPage(db: Database, name: TableName, query: RowQuery) {
  const key = tableOf(name).key.map(toJson)
  return db
    .select({ count: sql<number>`n`.as('count'), key: sql<string>`json_array(${list(key)})`.as('key') })
    .from(sql`(select *, row_number() over () as n from (${selectOwn(name, query)})) as t`)
    .orderBy(sql`n desc`)
    .limit(1)
}

function selectOwn(name: TableName, query: RowQuery): SQL {
  const { table, key } = tableOf(name)
  return sql`select * from ${table} as t where ${isOfQuery(name, query)} order by ${list(key.map((column) => sql`t.${own(column)}`))} limit ${query.limit}`
}

function isOfQuery(name: TableName, { applicationId, users, without = [], after }: Omit<RowQuery, 'limit'>): SQL {
  const { key, user } = tableOf(name)
  const conditions = [sql`t.application_id = ${applicationId}`]
  if (after) conditions.push(sql`(${list(key.map((column) => sql`t.${own(column)}`))}) > (${toKey(key, after)})`)
  if (user && users) conditions.push(isOfShare(sql`t.${own(user)}`, users))
  if (user && without.length > 0) conditions.push(sql`t.${own(user)} not in (select value from ${each(without)})`)
  return sql.join(conditions, sql` and `)
}

function toKey(columns: readonly SQLiteColumn[], key: Key): SQL {
  return list(columns.map((column, index) => (isBlob(column) ? sql`unhex(${key[index]})` : sql`${key[index]}`)))
}

/** Real numbers, and stamps, which JavaScript has no numbers for, become texts with enough digits to restore them exactly. */
function toJson(column: SQLiteColumn): SQL {
  const value = sql`t.${own(column)}`
  if (isBlob(column)) return sql`hex(${value})`
  if (isStamp(column)) return sql`cast(${value} as text)`
  return column.columnType === 'SQLiteReal' ? sql`printf('%!.17g', ${value})` : value
}

function fromJson(column: SQLiteColumn, index: number): SQL {
  if (isBlob(column)) return sql`unhex(${cell(index)})`
  if (isStamp(column)) return sql`cast(${cell(index)} as integer)`
  return column.columnType === 'SQLiteReal' ? sql`cast(${cell(index)} as real)` : cell(index)
}

function isBlob({ columnType }: SQLiteColumn): boolean {
  return columnType.startsWith('SQLiteBlob')
}

function isStamp({ name }: SQLiteColumn): boolean {
  return name.endsWith('_stamp')
}

/** A column's name, without its table's. */
function own({ name }: SQLiteColumn): SQL {
  return sql`${sql.identifier(name)}`
}

function list(items: readonly SQL[]): SQL {
  return sql.join([...items], sql`, `)
}

interface Insertion {
  readonly name: TableName
  /** The JSON of a page. */
  readonly rows: string
  /** The number of the database. */
  readonly number: number
}

/** Inserts the rows of a page. Existing ones stay, as nothing changes them during a move; ids are added to their rows. */
export function insertRows(db: BatchDatabase, { name, rows, number }: Insertion) {
  const { table, key } = tableOf(name)
  const inserting = db.insert(table).select(selectRows(rows, name, number))
  // A row that is left of an earlier move may lack ids.
  if (name === 'eventIds') {
    const target = [eventIds.applicationId, ...key]
    return inserting.onConflictDoUpdate({ target, set: { members: sql`${eventIds.members} | excluded.members` } })
  }
  if (name !== 'names' && name !== 'contexts') return inserting.onConflictDoNothing()
  const { id, applicationId } = name === 'names' ? eventNames : contexts
  const others = Object.entries(getTableColumns(table)).filter(([, column]) => column !== id)
  return (
    inserting
      .onConflictDoNothing({ target: [applicationId, ...key] })
      // Reuses an id that `disownGreatest` reserved.
      .onConflictDoUpdate({
        target: id,
        set: Object.fromEntries(others.map(([property, column]) => [property, sql`excluded.${own(column)}`])),
        setWhere: eq(applicationId, 0),
      })
  )
}

/**
 * The rows of a page. Where a name or context was erased in one database only, its id stands for another text here: then it gets a new
 * id, or is left out if it is the erased one.
 */
function selectRows(rows: string, name: TableName, number: number): SQL {
  const columns = columnsOf(name)
  if (name !== 'names' && name !== 'contexts') {
    return sql`select ${list(columns.map(fromJson))} from json_each(${rows}) as r where true`
  }
  const { table, fields } = textsOf(name)
  const cellOf = (column: SQLiteColumn) => fromJson(column, columns.indexOf(column))
  const [id, text] = [cellOf(fields.id), cellOf(fields.text)]
  const isTaken = sql`exists (select 1 from ${table} as o
    where o.id = ${id} and o.application_id = ${cellOf(table.applicationId)} and o.${own(fields.text)} <> ${text})`
  const newId = sql`coalesce(${greatestId(table, number)}, ${idsOf(number).after}) + row_number() over ()`
  const cells = columns.map((column) => (column === fields.id ? sql`iif(${isTaken}, ${newId}, ${id})` : cellOf(column)))
  return sql`select ${list(cells)} from json_each(${rows}) as r where not (${isTaken} and ${isErasedText(text, id)})`
}

/** The greatest id that a database has given; null if there is none. */
function greatestId(table: SQLiteTable, number: number): SQL {
  const { after, before } = idsOf(number)
  return sql`(select g.id from ${table} as g where g.id > ${after} and g.id < ${before} order by g.id desc limit 1)`
}

interface Deletion extends Omit<RowQuery, 'limit'> {
  readonly upTo: Key
  /** The databases of the application. */
  readonly livesIn: Placement
}

/** Deletes rows after a key up to and including another one; none if this database has the control data and says otherwise. */
export function deleteUpTo(db: BatchDatabase, name: TableName, { upTo, livesIn, ...query }: Deletion) {
  const { applicationId } = query
  const { table, key } = tableOf(name)
  const last = sql`(${list(key.map((column) => sql`t.${own(column)}`))}) <= (${toKey(key, upTo)})`
  const isElsewhere = and(eq(applications.id, applicationId), ne(applications.databases, livesIn))
  const onlyIf = sql`not exists (select 1 from ${applications} where ${isElsewhere})`
  return deleteRows(db, { table, applicationId, where: sql`${isOfQuery(name, query)} and ${last}`, onlyIf })
}

/**
 * Reserves the greatest id that a database has given, if it belongs to the application whose names or contexts are deleted: otherwise
 * the id would be given again, and conflict when the application comes back with it.
 */
export function disownGreatest(
  db: BatchDatabase,
  name: 'names' | 'contexts',
  { applicationId, number }: { applicationId: number; number: number },
) {
  const { table } = textsOf(name)
  const isIt = and(eq(table.applicationId, applicationId), sql`${table.id} = ${greatestId(table, number)}`)
  const empty =
    name === 'names' ? { name: sql`${table.id}` } : { fingerprint: sql`${table.id}`, ...EMPTY_CONTEXT_CELLS }
  return db
    .update(table)
    .set({ applicationId: 0, ...empty })
    .where(isIt)
}

export interface Move {
  readonly from: Placement
  readonly to: Placement
}

interface NewMove extends Move {
  readonly applicationId: number
  readonly progress: object
  readonly now: number
}

/**
 * Adds the job of a move if the application is where it should be, has no other job, and its only partitioning has an object for each
 * part of the databases. Returns its id.
 */
export function insertMove(db: Database, { applicationId, from, to, progress, now }: NewMove) {
  const { id, databases, objects } = applications
  const working = sql`select 1 from ${jobs} where ${jobs.applicationId} = ${applicationId}`
  const others = sql`select 1 from ${layouts} where ${layouts.applicationId} = ${applicationId} and ${layouts.objects} <> ${objects}`
  return db
    .insert(jobs)
    .select(
      sql`select null, ${id}, 'move', ${JSON.stringify(progress)}, ${now}, ${now} from ${applications}
        where ${id} = ${applicationId} and ${eq(databases, from)} and ${countIn(objects)} % ${to.length} = 0
          and not exists (${working}) and not exists (${others})`,
    )
    .returning({ id: jobs.id })
}

/** Sets the databases of an application, if it is where it should be and the job is as it was read. */
export function updatePlacement(db: Database, job: Job, { from, to }: Move) {
  const { id, databases } = applications
  return db
    .update(applications)
    .set({ databases: to })
    .where(and(eq(id, job.applicationId), eq(databases, from), sql`exists ${selectAsRead(db, job)}`))
}

export function selectServing(db: Database, id: number) {
  return db.select({ objects: applications.objects }).from(applications).where(eq(applications.id, id))
}
