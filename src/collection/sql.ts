import { fillPlaceholders, getTableColumns, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm'
import type { QuotaName } from '../quotas/quota.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { cell, decoded, each, inOrder, selectFromJson } from '../storage/json-rows.ts'
import { contexts, dirtyDays, eventIds, eventNames, events, sessions, userDays, users } from '../storage/schema.ts'
import { CONTEXT_PROPERTIES, type Rows, USER_PROPERTIES } from './rows.ts'

/**
 * The statements that store these rows; run them as one batch, in this order. Totals count only events that are not there
 * yet, the events come last: run again, they change nothing but the marks of dirty days. An event id that is there already
 * makes the batch fail. The first one's rows say what is new (`Growth`); the others have none.
 */
export function storeStatements(db: BatchDatabase, rows: Rows, now: number): D1PreparedStatement[] {
  const texts = Object.entries(rows).map(([name, list]) => [name, JSON.stringify(list)] as const)
  const values = { ...Object.fromEntries(texts), now }
  queries ??= buildQueries(db)
  return queries
    .filter(({ from }) => rows[from].length > 0)
    .map(({ sql, params }) => db.$client.prepare(sql).bind(...fillPlaceholders(params, values)))
}

/** Only the values differ from batch to batch; building the text of the statements takes longer than running one. */
let queries: StoreQuery[] | undefined

interface StoreQuery extends Pick<Query, 'sql' | 'params'> {
  /** Without any of these rows there is nothing to do. */
  readonly from: keyof Rows
}

function buildQueries(db: BatchDatabase): StoreQuery[] {
  return [
    { from: 'userIds', ...selectGrowth(db).toSQL() },
    { from: 'eventIds', ...insertEventIds(db).toSQL() },
    { from: 'names', ...insertNames(db).toSQL() },
    { from: 'contexts', ...insertContexts(db).toSQL() },
    { from: 'days', ...markDirtyDays(db).toSQL() },
    { from: 'users', ...addToUsers(db).toSQL() },
    { from: 'userDays', ...addToUserDays(db).toSQL() },
    { from: 'sessions', ...insertSessions(db).toSQL() },
    { from: 'events', ...insertEvents(db).toSQL() },
  ]
}

const ROWS = {
  names: sql.placeholder('names'),
  contexts: sql.placeholder('contexts'),
  userIds: sql.placeholder('userIds'),
  events: sql.placeholder('events'),
  eventIds: sql.placeholder('eventIds'),
  params: sql.placeholder('params'),
  users: sql.placeholder('users'),
  userDays: sql.placeholder('userDays'),
  sessions: sql.placeholder('sessions'),
  days: sql.placeholder('days'),
} as const satisfies Record<keyof Rows, unknown>

const NOW = sql`${sql.placeholder('now')}`

/** Those of these ids (16 bytes in hexadecimal) that events were stored under. */
export function selectKnownIds(db: BatchDatabase, ids: readonly (readonly [applicationId: number, id: string])[]) {
  return db
    .select({ applicationId: eventIds.applicationId, id: sql<string>`lower(hex(${eventIds.eventId}))` })
    .from(sql`${each(ids)} as r`)
    .innerJoin(eventIds, sql`${eventIds.applicationId} = ${cell(0)} and ${eventIds.eventId} = unhex(${cell(1)})`)
}

/** What is new of these rows, as `Growth`. */
function selectGrowth(db: BatchDatabase) {
  const isOld = (table: SQL, column: SQL) =>
    sql`exists (select 1 from ${table} as known where known.application_id = ${cell(0)} and known.${column} = ${cell(1)})`
  const kinds: [QuotaName, Placeholder, SQL][] = [
    ['newNames', ROWS.names, isOld(sql`${eventNames}`, sql`name`)],
    ['newContexts', ROWS.contexts, isOld(sql`${contexts}`, sql`fingerprint`)],
    ['newUsers', ROWS.userIds, isOld(sql`${users}`, sql`telegram_id`)],
  ]
  const counts = kinds.map(
    ([quota, rows, isKnown]) =>
      sql`select ${cell(0)} as applicationId, ${cell(2)} as scope, ${sql.raw(`'${quota}'`)} as quota, count(*) as count
      from ${each(rows)} as r where not ${isKnown} group by 1, 2`,
  )
  return db.select({ all: sql`*` }).from(sql`(${sql.join(counts, sql` union all `)})`)
}

function insertNames(db: BatchDatabase) {
  const values = { id: sql`null`, applicationId: cell(0), name: cell(1) }
  return db
    .insert(eventNames)
    .select(selectFromJson(eventNames, ROWS.names, values))
    .onConflictDoNothing()
}

function insertContexts(db: BatchDatabase) {
  const properties = CONTEXT_PROPERTIES.map(
    (property, place) => [property, sql`${cell(1)} ->> ${sql.raw(String(place))}`] as const,
  )
  const values = { id: sql`null`, applicationId: cell(0), fingerprint: cell(1), ...record(properties) }
  const isKnown = sql`select 1 from ${contexts} as known where known.application_id = ${cell(0)} and known.fingerprint = ${cell(1)}`
  const select = sql`select ${inOrder(contexts, values)} from ${each(ROWS.contexts)} as r where not exists (${isKnown})`
  return db.insert(contexts).select(select)
}

function insertSessions(db: BatchDatabase) {
  const values = { applicationId: cell(0), telegramId: cell(1), session: cell(2), day: cell(3) }
  return db
    .insert(sessions)
    .select(selectFromJson(sessions, ROWS.sessions, values))
    .onConflictDoNothing()
}

/** Days on which something happened; and a day that was a user's first until now, as it has one new user less. */
function markDirtyDays(db: BatchDatabase) {
  const touched = { applicationId: cell(0), day: cell(1), mark: sql`1`, markedAt: NOW }
  const moved = { ...touched, day: sql`u.first_active_at / 86400000` }
  const select = sql`
    select ${inOrder(dirtyDays, touched)} from ${each(ROWS.days)} as r
    union
    select ${inOrder(dirtyDays, moved)} from ${each(ROWS.userDays)} as r
    cross join ${users} as u on u.application_id = ${cell(0)} and u.telegram_id = ${cell(2)}
    where u.first_active_at / 86400000 > ${cell(1)}`
  return db
    .insert(dirtyDays)
    .select(select)
    .onConflictDoUpdate({
      target: [dirtyDays.applicationId, dirtyDays.day],
      set: { mark: sql`${dirtyDays.mark} + 1` },
    })
}

/** The cells of a user's row, in its order; those of `USER_PROPERTIES` follow. */
const USER_CELLS = [
  'applicationId',
  'telegramId',
  'firstActiveAt',
  'lastActiveAt',
  'sessions',
  'place',
  'utm',
  'utmTime',
  'utmTie',
  'time',
  'tie',
]

function addToUsers(db: BatchDatabase) {
  const known = sql`select 1 from ${sessions} as t
    where t.application_id = said.applicationId and t.telegram_id = said.telegramId and t.session = s.value`
  const values = {
    applicationId: sql`said.applicationId`,
    telegramId: sql`said.telegramId`,
    firstActiveAt: sql`said.firstActiveAt`,
    lastActiveAt: sql`said.lastActiveAt`,
    totalEvents: sql`coalesce(fresh.events, 0)`,
    totalSessions: sql`(select count(*) from json_each(said.sessions) as s where not exists (${known}))`,
    currVolume: sql`coalesce(fresh.volume, 0)`,
    utm: sql`said.utm`,
    utmStamp: sql`coalesce(said.utmTime << 20 | said.utmTie, 0)`,
    ...record(USER_PROPERTIES.flatMap(sayingValues)),
  }
  const cells = [...USER_CELLS, ...USER_PROPERTIES].map((name, place) => sql`${cell(place)} as ${sql.raw(name)}`)
  const select = sql`
    with ${incoming('user', 'volume')},
    ${decoded(ROWS.users)},
    said as materialized (select ${sql.join(cells, sql`, `)} from r),
    fresh as materialized (
      select user, count(*) as events, total(volume) as volume from incoming where ${isFresh} group by user
    )
    select ${inOrder(users, values)} from said
    left join fresh on fresh.user = said.place where true`
  return db
    .insert(users)
    .select(select)
    .onConflictDoUpdate({ target: [users.applicationId, users.telegramId], set: userUpdate() })
}

/** A value that was said, and the stamp of that moment; a balance that nobody told is 0. */
function sayingValues(property: (typeof USER_PROPERTIES)[number]): [string, SQL][] {
  const value = sql.raw(`said.${property}`)
  return [
    [property, property === 'currBalance' ? sql`coalesce(${value}, 0)` : value],
    [`${property}Stamp`, sql`iif(${value} is null, 0, said.time << 20 | said.tie)`],
  ]
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

function addToUserDays(db: BatchDatabase) {
  const known = sql`select 1 from ${sessions} as t
    where t.application_id = ${cell(0)} and t.telegram_id = ${cell(2)} and t.session = s.value and t.day = ${cell(1)}`
  const values = {
    applicationId: cell(0),
    day: cell(1),
    telegramId: cell(2),
    events: sql`coalesce(fresh.events, 0)`,
    sessions: sql`(select count(*) from json_each(r.value -> 6) as s where not exists (${known}))`,
    lastStamp: sql`${cell(3)} << 20 | ${cell(4)}`,
    lastContextId: sql`context.id`,
  }
  const select = sql`
    with ${incoming('user_day')}, ${contextIds}, ${decoded(ROWS.userDays)},
    fresh as materialized (
      select user_day, count(*) as events from incoming where ${isFresh} group by user_day
    )
    select ${inOrder(userDays, values)} from r
    cross join context on context.place = ${cell(5)} left join fresh on fresh.user_day = r.key where true`
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

function insertEvents(db: BatchDatabase) {
  const values = {
    applicationId: sql`application_id`,
    nameId: sql`name_id`,
    time: sql`time`,
    telegramId: sql`telegram_id`,
    eventKey: sql`event_key`,
    contextId: sql`context.id`,
    params: sql`param.params`,
  }
  const select = sql`
    with ${incoming('place', 'context_place')}, ${contextIds},
    param as materialized (select ${cell(0)} as place, ${cell(1)} as params from ${each(ROWS.params)} as r)
    select ${inOrder(events, values)} from incoming
    cross join context on context.place = incoming.context_place
    left join param on param.place = incoming.place where true`
  return db.insert(events).select(select).onConflictDoNothing()
}

function insertEventIds(db: BatchDatabase) {
  const values = { applicationId: cell(0), eventId: sql`unhex(${cell(1)})` }
  return db.insert(eventIds).select(selectFromJson(eventIds, ROWS.eventIds, values))
}

/**
 * `incoming`: the events, with the ids of their names, and what else the statement needs of them. `cross join` keeps the
 * events the outer loop; the planner would try every pair.
 */
function incoming(...also: (keyof typeof FURTHER_CELLS)[]): SQL {
  const further = also.map((name) => sql`${FURTHER_CELLS[name]} as ${sql.raw(name)}`)
  return sql`name as materialized (
      select n.key as place, e.application_id, e.id from ${each(ROWS.names)} as n
      cross join ${eventNames} as e on e.application_id = n.value ->> 0 and e.name = n.value ->> 1
    ),
    incoming as materialized (
      select name.application_id, name.id as name_id, ${cell(1)} as time, ${cell(2)} as telegram_id, ${cell(3)} as event_key,
        ${sql.join(further, sql`, `)}
      from ${each(ROWS.events)} as r cross join name on name.place = ${cell(0)}
    )`
}

/** Cells of an event's row that only some statements read. */
const FURTHER_CELLS = { place: sql`r.key`, user: cell(4), volume: cell(5), user_day: cell(6), context_place: cell(7) }

/** `context`: the ids of the contexts, by their place among the rows. */
const contextIds = sql`context as materialized (
      select n.key as place, c.id from ${each(ROWS.contexts)} as n
      cross join ${contexts} as c on c.application_id = n.value ->> 0 and c.fingerprint = n.value ->> 1
    )`

const isFresh = sql`not exists (
  select 1 from ${events} as known where known.application_id = incoming.application_id and known.name_id = incoming.name_id
    and known.time = incoming.time and known.telegram_id = incoming.telegram_id and known.event_key = incoming.event_key
)`

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
