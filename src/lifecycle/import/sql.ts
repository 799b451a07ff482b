import { type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { PROPERTIES, type PropertyName, USER_PROPERTIES } from '../../base/event.ts'
import { fingerprintOf } from '../../collection/rows.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { cell, columnOf, each, isEarlier, keepLatest } from '../../storage/json-rows.ts'
import { MAX_OBJECTS } from '../../storage/object-name.ts'
import { contexts, sessions, users } from '../../storage/schema.ts'
import { markRemembered } from '../jobs/statements.ts'
import type { ImportedUser } from './user-line.ts'

/** A user with new data. */
export interface ChangedUser {
  readonly telegramId: number
  /** 1 for a user who was not stored before. */
  readonly isNew: number
}

/**
 * The statements that store these users of an application; run them as one batch, in this order. The latest value wins, the first
 * start parameter wins, sessions are a set: run again, they change nothing. Totals are counted when a user's events are stored; only
 * the volume is taken from here, once all of these are stored. The statements return `ChangedUser`.
 */
export function userStatements(
  db: BatchDatabase,
  applicationId: number,
  imported: readonly ImportedUser[],
): D1PreparedStatement[] {
  const rows = { users: imported.map(toCells), sessions: imported.flatMap(toSessionCells) }
  return [
    insertSessions(applicationId, rows.sessions),
    insertUsers(applicationId, rows.users),
    updateUsers(applicationId, rows.users),
  ].map((statement) => prepare(db, statement))
}

function prepare(db: BatchDatabase, statement: SQL): D1PreparedStatement {
  const { sql, params } = new SQLiteAsyncDialect().sqlToQuery(statement)
  return db.$client.prepare(sql).bind(...params)
}

/**
 * The statements that note first events with users, and ask their objects to read them; run them in the same batch, after those that
 * store the users and the contexts. An event comes before a stored one of its instant. Run again, they change nothing. They return
 * `ChangedUser`.
 */
export function firstStatements(
  db: BatchDatabase,
  noted: readonly ImportedUser[],
  { applicationId, now }: { readonly applicationId: number; readonly now: number },
): D1PreparedStatement[] {
  const ids = noted.map(({ telegramId }) => telegramId)
  const users = { slots: [...new Set(ids.map((id) => id % MAX_OBJECTS))], from: Math.min(...ids), to: Math.max(...ids) }
  return [
    ...(['first', 'start'] as const).map((field) => prepare(db, noteFirsts(applicationId, field, noted))),
    prepare(db, markRemembered(db, { applicationId, ...users, now }).getSQL()),
  ]
}

function noteFirsts(applicationId: number, field: 'first' | 'start', imported: readonly ImportedUser[]): SQL {
  const rows = imported.flatMap(({ telegramId, [field]: event }) =>
    event ? [[telegramId, event.time, fingerprintOf(event.context)]] : [],
  )
  const [time, key] = [columnOf(users, `${field}Time`), columnOf(users, `${field}Key`)]
  return sql`
    update ${users} set ${time} = ${cell(1)}, ${key} = 0, ${columnOf(users, `${field}ContextId`)} = c.id
    from ${each(rows)} as r
    cross join ${contexts} as c on c.application_id = ${applicationId} and c.fingerprint = ${cell(2)}
    where users.application_id = ${applicationId} and users.telegram_id = ${cell(0)}
      and (${time} is null or (${cell(1)}, 0) < (${time}, ${key}))
    returning users.telegram_id as telegramId, 0 as isNew`
}

type Cells = readonly (string | number | boolean | null)[]

/** Values follow the first cells in pairs, each with its version. */
const FIRST_VALUE = 5
const VERSIONED = [...USER_PROPERTIES, 'utm'] as const

function toCells({ telegramId, firstActiveAt, lastActiveAt, totalEvents, volume, properties }: ImportedUser): Cells {
  const values = VERSIONED.flatMap((name) => {
    const { value = null, version = '0' } = properties.get(name) ?? {}
    return [value, version]
  })
  return [telegramId, firstActiveAt, lastActiveAt, totalEvents, volume, ...values]
}

function toSessionCells({ telegramId, sessions }: ImportedUser): Cells[] {
  return sessions.map(({ session, day }) => [telegramId, session, day])
}

function insertSessions(applicationId: number, rows: readonly Cells[]): SQL {
  return sql`
    insert into ${sessions} (application_id, telegram_id, session, day)
    select ${applicationId}, ${cell(0)}, ${cell(1)}, ${cell(2)} from ${each(rows)} as r where true
    on conflict do nothing
    returning telegram_id as telegramId, 0 as isNew`
}

/** A version is passed as text, because it exceeds JavaScript's safe integers. */
function versionCell(index: number): SQL {
  return sql`cast(${cell(index)} as integer)`
}

/** Users who are not stored yet, without any properties. */
function insertUsers(applicationId: number, rows: readonly Cells[]): SQL {
  const versions = VERSIONED.map((name) => versionOf(name))
  return sql`
    insert into ${users} (
      application_id, telegram_id, first_active_at, last_active_at, total_events, total_sessions, curr_volume,
      curr_balance, ${sql.join(versions, sql`, `)}
    )
    select ${applicationId}, ${cell(0)}, ${cell(1)}, ${cell(2)}, 0, 0, 0, 0, ${sql.raw(versions.map(() => '0').join(', '))}
    from ${each(rows)} as r where true
    on conflict do nothing
    returning telegram_id as telegramId, 1 as isNew`
}

/** Adds a line to a stored user. A line that adds nothing changes no row. */
function updateUsers(applicationId: number, rows: readonly Cells[]): SQL {
  const [first, last, events, volume] = [cell(1), cell(2), cell(3), cell(4)]
  const properties = USER_PROPERTIES.map((name, index) => ({ name, index: FIRST_VALUE + 2 * index }))
  const utm = FIRST_VALUE + 2 * USER_PROPERTIES.length
  const counted = sql`(
    select count(distinct s.session) from ${sessions} as s
    where s.application_id = ${applicationId} and s.telegram_id = ${cell(0)}
  )`
  const isFirstUtm = isEarlier(versionOf('utm'))
  const columns = properties.map(({ name }) => sql`${columnOf(users, name)}, ${versionOf(name)}`)
  const values = properties.map(({ name, index }) => sql`${valueCell(name, index)}, ${versionCell(index + 1)}`)
  const isNew = sql.join(
    properties.map(({ name }) => sql`excluded.${versionOf(name)} > ${versionOf(name)}`),
    sql` or `,
  )
  // Nothing is inserted, because all users exist by now: `excluded` is the line.
  return sql`
    insert into ${users} (
      application_id, telegram_id, first_active_at, last_active_at, total_events, total_sessions, curr_volume,
      utm, utm_stamp, ${sql.join(columns, sql`, `)}
    )
    select ${applicationId}, ${cell(0)}, ${first}, ${last}, ${events}, ${counted}, ${volume},
      ${cell(utm)}, ${versionCell(utm + 1)}, ${sql.join(values, sql`, `)}
    from ${each(rows)} as r where true
    on conflict (application_id, telegram_id) do update set
      first_active_at = min(first_active_at, excluded.first_active_at),
      last_active_at = max(last_active_at, excluded.last_active_at),
      total_sessions = max(total_sessions, excluded.total_sessions),
      curr_volume = iif(total_events >= excluded.total_events, max(curr_volume, excluded.curr_volume), curr_volume),
      utm = iif(${isFirstUtm}, excluded.utm, utm),
      utm_stamp = iif(${isFirstUtm}, excluded.utm_stamp, utm_stamp),
      ${sql.join(
        properties.map(({ name }) => keepLatest(columnOf(users, name), versionOf(name))),
        sql`, `,
      )}
    where excluded.first_active_at < first_active_at or excluded.last_active_at > last_active_at
      or excluded.total_sessions > total_sessions
      or (total_events >= excluded.total_events and excluded.curr_volume > curr_volume)
      or (${isFirstUtm}) or ${isNew}
    returning telegram_id as telegramId, 0 as isNew`
}

function valueCell(name: PropertyName, index: number): SQL {
  return PROPERTIES[name].type === 'number' ? sql`coalesce(${cell(index)}, 0)` : cell(index)
}

function versionOf(name: PropertyName | 'utm'): SQL {
  return columnOf(users, `${name}Stamp`)
}
