import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { BatchDatabase } from '../storage/database.ts'
import { cell, each, inOrder, selectFromJson } from '../storage/json-rows.ts'
import { contexts, dirtyDays, eventIds, eventNames, events, sessions, userDays, users } from '../storage/schema.ts'
import { CONTEXT_PROPERTIES, type Rows, USER_PROPERTIES } from './rows.ts'

/**
 * The statements that store these rows; run them as one batch, in this order. Totals come first and count only events
 * that are not there yet, the events come last: run again, they change nothing.
 */
export function storeStatements(db: BatchDatabase, rows: Rows) {
  return [
    insertNames(db, rows),
    insertContexts(db, rows),
    markMovedStarts(db, rows),
    markTouchedDays(db, rows),
    addToUsers(db, rows),
    addToUserDays(db, rows),
    insertSessions(db, rows),
    insertEvents(db, rows),
    insertEventIds(db, rows),
  ] as const
}

function insertNames(db: BatchDatabase, rows: Rows) {
  const values = { id: sql`null`, applicationId: cell(0), name: cell(1) }
  return db
    .insert(eventNames)
    .select(selectFromJson(eventNames, rows.names, values))
    .onConflictDoNothing()
}

function insertContexts(db: BatchDatabase, rows: Rows) {
  const properties = CONTEXT_PROPERTIES.map(
    (property, place) => [property, sql`${cell(1)} ->> ${sql.raw(String(place))}`] as const,
  )
  const values = { id: sql`null`, applicationId: cell(0), fingerprint: cell(1), ...record(properties) }
  return db
    .insert(contexts)
    .select(selectFromJson(contexts, rows.contexts, values))
    .onConflictDoNothing()
}

function insertSessions(db: BatchDatabase, rows: Rows) {
  const values = { applicationId: cell(0), telegramId: cell(1), session: cell(2), day: cell(3) }
  return db
    .insert(sessions)
    .select(selectFromJson(sessions, rows.sessions, values))
    .onConflictDoNothing()
}

/** A day that was a user's first until now has one new user less. */
function markMovedStarts(db: BatchDatabase, { users: rows }: Rows) {
  const values = { applicationId: cell(0), day: sql`u.first_active_at / 86400000`, mark: sql`1` }
  const select = sql`select distinct ${inOrder(dirtyDays, values)} from ${each(rows)} as r
    cross join ${users} as u on u.application_id = ${cell(0)} and u.telegram_id = ${cell(1)} and u.first_active_at > ${cell(2)} where true`
  return db.insert(dirtyDays).select(select).onConflictDoUpdate(markAgain)
}

function markTouchedDays(db: BatchDatabase, { days }: Rows) {
  const values = { applicationId: cell(0), day: cell(1), mark: sql`1` }
  return db
    .insert(dirtyDays)
    .select(selectFromJson(dirtyDays, days, values))
    .onConflictDoUpdate(markAgain)
}

const markAgain = { target: [dirtyDays.applicationId, dirtyDays.day], set: { mark: sql`${dirtyDays.mark} + 1` } }

const UTM_PLACE = 5
const LATEST_PLACE = 6

function addToUsers(db: BatchDatabase, rows: Rows) {
  const known = sql`select 1 from ${sessions} as t where t.application_id = ${cell(0)} and t.telegram_id = ${cell(1)} and t.session = s.value`
  const values = {
    applicationId: cell(0),
    telegramId: cell(1),
    firstActiveAt: cell(2),
    lastActiveAt: cell(3),
    totalEvents: sql`coalesce(fresh.events, 0)`,
    totalSessions: sql`(select count(*) from json_each(r.value, '$[4]') as s where not exists (${known}))`,
    currVolume: sql`coalesce(fresh.volume, 0)`,
    ...sayingValues('utm', UTM_PLACE),
    ...record(
      USER_PROPERTIES.flatMap((property, place) => Object.entries(sayingValues(property, LATEST_PLACE + place))),
    ),
  }
  const select = sql`
    with ${incoming(rows)},
    fresh as materialized (
      select application_id, telegram_id, count(*) as events, total(volume) as volume from incoming where ${isFresh} group by 1, 2
    )
    select ${inOrder(users, values)} from ${each(rows.users)} as r
    left join fresh on fresh.application_id = ${cell(0)} and fresh.telegram_id = ${cell(1)} where true`
  return db
    .insert(users)
    .select(select)
    .onConflictDoUpdate({ target: [users.applicationId, users.telegramId], set: userUpdate() })
}

/** The value and the stamp of a saying at this place of a user's row; a balance that nobody told is 0. */
function sayingValues(property: (typeof USER_PROPERTIES)[number] | 'utm', place: number): Record<string, SQL> {
  const said = sql`json_extract(r.value, ${`$[${place}][0]`})`
  const stamp = sql`json_extract(r.value, ${`$[${place}][1]`}) << 20 | json_extract(r.value, ${`$[${place}][2]`})`
  return {
    [property]: property === 'currBalance' ? sql`coalesce(${said}, 0)` : said,
    [`${property}Stamp`]: sql`coalesce(${stamp}, 0)`,
  }
}

/** Latest word wins, first start parameter wins, totals add up. Stamp 0 stands for "never said". */
function userUpdate(): Record<string, SQL> {
  const latest = USER_PROPERTIES.flatMap((property) =>
    replaceWhere(property, sql`${excluded(`${property}Stamp`)} > ${old(`${property}Stamp`)}`),
  )
  const isFirst = sql`${excluded('utmStamp')} > 0 and (${old('utmStamp')} = 0 or ${excluded('utmStamp')} < ${old('utmStamp')})`
  return {
    firstActiveAt: sql`min(${old('firstActiveAt')}, ${excluded('firstActiveAt')})`,
    lastActiveAt: sql`max(${old('lastActiveAt')}, ${excluded('lastActiveAt')})`,
    totalEvents: sql`${old('totalEvents')} + ${excluded('totalEvents')}`,
    totalSessions: sql`${old('totalSessions')} + ${excluded('totalSessions')}`,
    currVolume: sql`${old('currVolume')} + ${excluded('currVolume')}`,
    ...record([...replaceWhere('utm', isFirst), ...latest]),
  }
}

function replaceWhere(property: string, condition: SQL): [string, SQL][] {
  return [property, `${property}Stamp`].map((name) => [name, sql`iif(${condition}, ${excluded(name)}, ${old(name)})`])
}

function addToUserDays(db: BatchDatabase, rows: Rows) {
  const key = sql`fresh.application_id = ${cell(0)} and fresh.day = ${cell(1)} and fresh.telegram_id = ${cell(2)}`
  const known = sql`select 1 from ${sessions} as t
    where t.application_id = ${cell(0)} and t.telegram_id = ${cell(2)} and t.session = s.value and t.day = ${cell(1)}`
  const values = {
    applicationId: cell(0),
    day: cell(1),
    telegramId: cell(2),
    events: sql`coalesce(fresh.events, 0)`,
    sessions: sql`(select count(*) from json_each(r.value, '$[6]') as s where not exists (${known}))`,
    lastStamp: sql`${cell(3)} << 20 | ${cell(4)}`,
    lastContextId: sql`context.id`,
  }
  const select = sql`
    with ${incoming(rows)}, ${contextIds(rows)},
    fresh as materialized (
      select application_id, time / 86400000 as day, telegram_id, count(*) as events from incoming where ${isFresh} group by 1, 2, 3
    )
    select ${inOrder(userDays, values)} from ${each(rows.userDays)} as r
    cross join context on context.place = ${cell(5)} left join fresh on ${key} where true`
  const { events, sessions: daySessions, lastStamp, lastContextId } = userDays
  const isLater = sql`excluded.last_stamp > ${lastStamp}`
  return db
    .insert(userDays)
    .select(select)
    .onConflictDoUpdate({
      target: [userDays.applicationId, userDays.day, userDays.telegramId],
      set: {
        events: sql`${events} + excluded.events`,
        sessions: sql`${daySessions} + excluded.sessions`,
        lastStamp: sql`max(${lastStamp}, excluded.last_stamp)`,
        lastContextId: sql`iif(${isLater}, excluded.last_context_id, ${lastContextId})`,
      },
    })
}

function insertEvents(db: BatchDatabase, rows: Rows) {
  const values = {
    applicationId: sql`application_id`,
    nameId: sql`name_id`,
    time: sql`time`,
    telegramId: sql`telegram_id`,
    eventKey: sql`event_key`,
    contextId: sql`context.id`,
    params: sql`params`,
  }
  const select = sql`
    with ${incoming(rows)}, ${contextIds(rows)}
    select ${inOrder(events, values)} from incoming
    cross join context on context.place = incoming.context_place where ${isUnknownId}`
  return db.insert(events).select(select).onConflictDoNothing()
}

function insertEventIds(db: BatchDatabase, rows: Rows) {
  const ids = rows.events.flatMap(([applicationId, , , , , , , id]) => (id === null ? [] : [[applicationId, id]]))
  const values = { applicationId: cell(0), eventId: sql`unhex(${cell(1)})` }
  return db
    .insert(eventIds)
    .select(selectFromJson(eventIds, ids, values))
    .onConflictDoNothing()
}

/** `incoming`: the events, with the ids of their names. `cross join` keeps the events the outer loop; the planner would try every pair. */
function incoming({ events: rows, names }: Rows): SQL {
  return sql`name as materialized (
      select n.key as place, e.id from ${each(names)} as n
      cross join ${eventNames} as e on e.application_id = n.value ->> 0 and e.name = n.value ->> 1
    ),
    incoming as materialized (
      select ${cell(0)} as application_id, name.id as name_id, ${cell(2)} as time, ${cell(3)} as telegram_id, ${cell(4)} as event_key,
        ${cell(5)} as context_place, ${cell(6)} as params, unhex(${cell(7)}) as event_id, ${cell(8)} as volume
      from ${each(rows)} as r cross join name on name.place = ${cell(1)}
    )`
}

/** `context`: the ids of the contexts, by their place among the rows. */
function contextIds({ contexts: rows }: Rows): SQL {
  return sql`context as materialized (
      select n.key as place, c.id from ${each(rows)} as n
      cross join ${contexts} as c on c.application_id = n.value ->> 0 and c.fingerprint = n.value ->> 1
    )`
}

const isUnknownId = sql`(incoming.event_id is null or not exists (
  select 1 from ${eventIds} as known where known.application_id = incoming.application_id and known.event_id = incoming.event_id
))`

const isFresh = sql`not exists (
  select 1 from ${events} as known where known.application_id = incoming.application_id and known.name_id = incoming.name_id
    and known.time = incoming.time and known.telegram_id = incoming.telegram_id and known.event_key = incoming.event_key
) and ${isUnknownId}`

function record(entries: Iterable<readonly [string, SQL]>): Record<string, SQL> {
  return Object.fromEntries(entries)
}

const userColumns: Record<string, { readonly name: string }> = getTableColumns(users)

function old(property: string): SQL {
  return sql`${users}.${sql.identifier(columnName(property))}`
}

function excluded(property: string): SQL {
  return sql`excluded.${sql.identifier(columnName(property))}`
}

function columnName(property: string): string {
  const column = userColumns[property]
  if (!column) throw new Error(`users has no column ${property}`)
  return column.name
}
