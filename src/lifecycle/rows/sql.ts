import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { KEY_BELOW } from '../../collection/identity.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { eventIds, events, keyOf } from '../../storage/schema.ts'

/** Rows of an application in one table. */
export interface RowPage {
  readonly table: SQLiteTable
  readonly applicationId: number
  /** What else is true of each row `t`. */
  readonly where?: SQL
  /** What must be true while they are deleted; otherwise none is. */
  readonly onlyIf?: SQL
  /** At most so many; without it all. */
  readonly limit?: number
}

export function deleteRows(db: BatchDatabase, { table, applicationId, where, onlyIf, limit = -1 }: RowPage) {
  const names = keyOf(table).map(({ name }) => name)
  const key = sql.raw(names.join(', ') || 'id')
  const page = sql`select ${key} from ${table} as t where t.application_id = ${applicationId} and ${where ?? sql`true`} limit ${limit}`
  const isOfPage = sql`(${key}) in (${page}) and ${onlyIf ?? sql`true`}`
  return db.delete(table).where(names.length > 0 ? sql`application_id = ${applicationId} and ${isOfPage}` : isOfPage)
}

/** Where an event stands among all of an application. */
export type EventKey = readonly [nameId: number, time: number, telegramId: number, key: number]

/** Events: rows of `name_id`, `time`, `telegram_id` and `event_key`. */
export type EventRows = SQL

export function theseEvents(cursors: readonly EventKey[]): EventRows {
  return sql`select ${cell(0)} as name_id, ${cell(1)} as time, ${cell(2)} as telegram_id, ${cell(3)} as event_key
    from ${each(cursors)} as r`
}

/** Deletes these events with their ids. Run as one batch. */
export function deleteEvents(db: Database, applicationId: number, rows: EventRows) {
  const cursors = sql`select r.name_id, r.time, r.telegram_id, r.event_key from (${rows}) as r`
  return [
    deleteIds(db, applicationId, rows),
    db
      .delete(events)
      .where(sql`application_id = ${applicationId} and (name_id, time, telegram_id, event_key) in (${cursors})`),
  ] as const
}

/** Deletes the ids of these events. */
export function deleteIds(db: Database, applicationId: number, rows: EventRows) {
  const prefix = sql`printf('%012x', r.event_key + high.value)`
  const ids = sql`
    select i.event_id from (${rows}) as r
    cross join ${each([0, KEY_BELOW])} as high
    cross join ${eventIds} as i on i.application_id = ${applicationId}
      and i.event_id between unhex(${prefix}) and unhex(${prefix} || 'ffffffffffffffffffff')`
  return db.delete(eventIds).where(sql`application_id = ${applicationId} and event_id in (${ids})`)
}
