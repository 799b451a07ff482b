import { fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { QuotaName } from '../quotas/quota.ts'
import { idsOf } from '../storage/activity.ts'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { columnOf, each, isEarlier, keepLatest } from '../storage/json-rows.ts'
import {
  applications,
  changes,
  contexts,
  erasures,
  eventIds,
  eventNames,
  events,
  layouts,
  sessions,
  users,
} from '../storage/schema.ts'
import { CONTEXT_PROPERTIES, PROPERTIES, type PropertyName, USER_PROPERTIES } from './event.ts'
import type { Rows } from './rows.ts'

export interface StoringIn {
  /** Of the database. */
  readonly number: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/**
 * The statements that store these rows; run them as one batch, in this order. Totals count only events that are not there
 * yet, the events come last: run again, they change nothing but the marks of changes. An event id that is there already makes
 * the batch fail. Their rows say what is new (`Growth`) and which objects have changes (`ObjectKey`).
 */
export function storeStatements(db: BatchDatabase, rows: Rows, { now, number }: StoringIn): D1PreparedStatement[] {
  const texts = (Object.keys(CELLS) as Kind[]).map((kind) => [kind, JSON.stringify(toCells(rows, kind))] as const)
  const values = { ...Object.fromEntries(texts), now, firstId: idsOf(number).after, lastId: idsOf(number).before - 1 }
  queries ??= STATEMENTS.map(([from, statement]) => ({ from, ...new SQLiteAsyncDialect().sqlToQuery(statement) }))
  return queries
    .filter(({ from }) => rows[from].length > 0)
    .map(({ sql, params }) => db.$client.prepare(sql).bind(...fillPlaceholders(params, values)))
}

/** Only the values differ from batch to batch; building the text of the statements takes longer than running one. */
let queries: { readonly from: keyof Rows; readonly sql: string; readonly params: unknown[] }[] | undefined

type Kind = keyof Rows
type Cells = { readonly [K in Kind]: readonly (keyof Rows[K][number])[] }

/** Statements are given rows as JSON arrays of these: to name each cell would take twice the text, and longer to find it. */
const CELLS: Cells = {
  names: ['applicationId', 'name', 'scope'],
  contexts: ['applicationId', 'fingerprint', 'scope', ...CONTEXT_PROPERTIES],
  userIds: ['applicationId', 'telegramId', 'scope'],
  events: ['name', 'context', 'user', 'time', 'telegramId', 'key', 'volume'],
  users: [
    ...(['applicationId', 'telegramId', 'place', 'sessions', 'firstActiveAt', 'lastActiveAt', 'time', 'tie'] as const),
    ...(['utm', 'utmTime', 'utmTie'] as const),
    ...USER_PROPERTIES,
  ],
  sessions: ['applicationId', 'telegramId', 'session', 'day'],
  eventIds: ['applicationId', 'id'],
  params: ['event', 'params'],
  changes: ['name', 'bucket', 'from', 'to', 'slots'],
}

function toCells<K extends Kind>(rows: Rows, kind: K): unknown[][] {
  const cells = CELLS[kind]
  return rows[kind].map((row: Rows[K][number]) => cells.map((name) => row[name]))
}

/** Rows as the JSON that a statement is given. */
function rowsOf(kind: Kind): Placeholder {
  return sql.placeholder(kind)
}

/** A cell of the row whose `value` is that of `r`. */
function cell<K extends Kind>(kind: K, name: Cells[K][number]): SQL {
  const place = CELLS[kind].indexOf(name)
  if (place < 0) throw new Error(`Rows of ${kind} have no cell for ${String(name)}`)
  return sql.raw(`r.value ->> ${place}`)
}

/** The names, contexts and users that are not there yet, counted by application and scope (`Growth`). */
const selectGrowth = sql.join(
  [
    growthOf({
      quota: 'newNames',
      rows: 'names',
      table: eventNames,
      field: 'name',
      value: cell('names', 'name'),
      bytes: sql`100`,
    }),
    growthOf({
      quota: 'newContexts',
      rows: 'contexts',
      table: contexts,
      field: 'fingerprint',
      value: cell('contexts', 'fingerprint'),
      // Once as the fingerprint, once in its index, once in columns.
      bytes: sql`3 * length(${cell('contexts', 'fingerprint')})`,
    }),
    growthOf({
      quota: 'newUsers',
      rows: 'userIds',
      table: users,
      field: 'telegramId',
      value: cell('userIds', 'telegramId'),
      bytes: sql`300`,
    }),
  ],
  sql` union all `,
)

interface Growing {
  readonly quota: QuotaName
  readonly rows: 'names' | 'contexts' | 'userIds'
  readonly table: SQLiteTable
  /** What tells one from another within an application, and its cell. */
  readonly field: 'name' | 'fingerprint' | 'telegramId'
  readonly value: SQL
  /** About how much one takes in the database. */
  readonly bytes: SQL
}

function growthOf({ quota, rows, table, field, value, bytes }: Growing): SQL {
  const column = columnOf(table, field)
  const applicationId = cell(rows, 'applicationId')
  return sql`
    select ${applicationId} as applicationId, ${cell(rows, 'scope')} as scope, ${sql.raw(`'${quota}'`)} as quota,
      count(*) as count, sum(${bytes}) as bytes
    from json_each(${rowsOf(rows)}) as r
    where not exists (
      select 1 from ${table} as known
      where known.application_id = ${applicationId} and known.${column} = ${value}
    )
    group by 1, 2`
}

const insertEventIds = sql`
  insert into ${eventIds} (application_id, event_id)
  select ${cell('eventIds', 'applicationId')}, unhex(${cell('eventIds', 'id')})
  from json_each(${rowsOf('eventIds')}) as r`

/** The next ids that this database gives. */
function newIds(table: typeof eventNames | typeof contexts): SQL {
  const [first, last] = [sql.placeholder('firstId'), sql.placeholder('lastId')]
  const greatest = sql`select g.id from ${table} as g where g.id between ${first} and ${last} order by g.id desc limit 1`
  return sql`coalesce((${greatest}), ${first}) + row_number() over ()`
}

const insertNames = sql`
  insert into ${eventNames} (id, application_id, name)
  select ${newIds(eventNames)}, ${cell('names', 'applicationId')}, ${cell('names', 'name')}
  from json_each(${rowsOf('names')}) as r
  where not exists (
    select 1 from ${eventNames} as known
    where known.application_id = ${cell('names', 'applicationId')} and known.name = ${cell('names', 'name')}
  )`

const insertContexts = sql`
  insert into ${contexts} (id, application_id, fingerprint, ${listOf(CONTEXT_PROPERTIES, (name) => columnOf(contexts, name))})
  select ${newIds(contexts)}, ${cell('contexts', 'applicationId')}, ${cell('contexts', 'fingerprint')},
    ${listOf(CONTEXT_PROPERTIES, (name) => cell('contexts', name))}
  from json_each(${rowsOf('contexts')}) as r
  where not exists (
    select 1 from ${contexts} as known
    where known.application_id = ${cell('contexts', 'applicationId')}
      and known.fingerprint = ${cell('contexts', 'fingerprint')}
  )`

/** `place` → id of the names, and of the contexts, that the events point at. */
const named = sql`
  named as materialized (
    select r.key as place, e.application_id, e.id
    from json_each(${rowsOf('names')}) as r
    cross join ${eventNames} as e
      on e.application_id = ${cell('names', 'applicationId')} and e.name = ${cell('names', 'name')}
  )`

/** A change for each part of each layout of the application that has one of the users. Its rows tell the objects (`ObjectKey`). */
const markChanges = sql`
  with ${named},
  spread as materialized (
    select named.*, coalesce(l.objects, 1) as objects
    from named left join ${layouts} as l on l.application_id = named.application_id
  ),
  said as materialized (select jsonb(value) as value from json_each(${rowsOf('changes')}))
  insert into ${changes} (application_id, objects, part, name_id, hour, from_time, to_time, mark, marked_at)
  select distinct spread.application_id, spread.objects, slot.value % spread.objects, spread.id,
    ${cell('changes', 'bucket')}, ${cell('changes', 'from')}, ${cell('changes', 'to')}, 1, ${sql.placeholder('now')}
  from said as r
  cross join spread on spread.place = ${cell('changes', 'name')}
  cross join json_each(${cell('changes', 'slots')}) as slot
  where true
  on conflict do update set
    from_time = min(from_time, excluded.from_time), to_time = max(to_time, excluded.to_time), mark = mark + 1
  returning application_id as applicationId, objects, part`

const inContext = sql`
  in_context as materialized (
    select r.key as place, c.id
    from json_each(${rowsOf('contexts')}) as r
    cross join ${contexts} as c
      on c.application_id = ${cell('contexts', 'applicationId')} and c.fingerprint = ${cell('contexts', 'fingerprint')}
  )`

/**
 * The events, parsed once: to read each cell out of the text takes longer. `cross join` keeps them the outer loop; the planner
 * would try every pair.
 */
const incoming = sql`
  parsed as materialized (select key as place, jsonb(value) as value from json_each(${rowsOf('events')})),
  incoming as materialized (
    select named.application_id, named.id as name_id, r.place, ${cell('events', 'time')} as time,
      ${cell('events', 'telegramId')} as telegram_id, ${cell('events', 'key')} as event_key,
      ${cell('events', 'user')} as user, ${cell('events', 'context')} as context, ${cell('events', 'volume')} as volume
    from parsed as r
    cross join named on named.place = ${cell('events', 'name')}
  )`

/** Those of them that are not there yet. */
const fresh = sql`
  fresh as materialized (
    select * from incoming
    where not exists (
      select 1 from ${events} as known
      where known.application_id = incoming.application_id and known.name_id = incoming.name_id
        and known.time = incoming.time and known.telegram_id = incoming.telegram_id
        and known.event_key = incoming.event_key
    )
  )`

const utmStamp = columnOf(users, 'utmStamp')

/** Latest word wins, first start parameter wins, totals add up. Stamp 0 stands for "never said". */
const addToUsers = sql`
  with ${named}, ${incoming}, ${fresh},
  totals as materialized (
    select user, count(*) as events, total(volume) as volume from fresh group by user
  ),
  said as materialized (select jsonb(value) as value from json_each(${rowsOf('users')}))
  insert into ${users} (
    application_id, telegram_id, first_active_at, last_active_at, total_events, total_sessions, curr_volume,
    utm, utm_stamp,
    ${listOf(USER_PROPERTIES, (name) => sql`${columnOf(users, name)}, ${stampOf(name)}`)}
  )
  select
    ${cell('users', 'applicationId')}, ${cell('users', 'telegramId')},
    ${cell('users', 'firstActiveAt')}, ${cell('users', 'lastActiveAt')},
    coalesce(totals.events, 0),
    (
      select count(*) from json_each(${cell('users', 'sessions')}) as s
      where not exists (
        select 1 from ${sessions} as known
        where known.application_id = ${cell('users', 'applicationId')}
          and known.telegram_id = ${cell('users', 'telegramId')} and known.session = s.value
      )
    ),
    coalesce(totals.volume, 0),
    ${cell('users', 'utm')}, coalesce(${cell('users', 'utmTime')} << 20 | ${cell('users', 'utmTie')}, 0),
    ${listOf(USER_PROPERTIES, (name) => sql`${lastWord(name)}, ${stampOfLastWord(name)}`)}
  from said as r
  left join totals on totals.user = ${cell('users', 'place')}
  where true
  on conflict (application_id, telegram_id) do update set
    first_active_at = min(first_active_at, excluded.first_active_at),
    last_active_at = max(last_active_at, excluded.last_active_at),
    total_events = total_events + excluded.total_events,
    total_sessions = total_sessions + excluded.total_sessions,
    curr_volume = curr_volume + excluded.curr_volume,
    utm = iif(${isEarlier(utmStamp)}, excluded.utm, utm),
    utm_stamp = iif(${isEarlier(utmStamp)}, excluded.utm_stamp, utm_stamp),
    ${listOf(USER_PROPERTIES, (name) => keepLatest(columnOf(users, name), stampOf(name)))}`

function lastWord(name: PropertyName): SQL {
  const value = cell('users', name)
  return PROPERTIES[name].type === 'number' ? sql`coalesce(${value}, 0)` : value
}

function stampOfLastWord(name: PropertyName): SQL {
  return sql`iif(${cell('users', name)} is null, 0, ${cell('users', 'time')} << 20 | ${cell('users', 'tie')})`
}

const insertSessions = sql`
  insert into ${sessions} (application_id, telegram_id, session, day)
  select ${cell('sessions', 'applicationId')}, ${cell('sessions', 'telegramId')}, ${cell('sessions', 'session')},
    ${cell('sessions', 'day')}
  from json_each(${rowsOf('sessions')}) as r
  where true
  on conflict do nothing`

const insertEvents = sql`
  with ${named}, ${incoming}, ${inContext},
  said as materialized (
    select ${cell('params', 'event')} as place, ${cell('params', 'params')} as params from json_each(${rowsOf('params')}) as r
  )
  insert into ${events} (application_id, name_id, time, telegram_id, event_key, context_id, params)
  select incoming.application_id, name_id, time, telegram_id, event_key, in_context.id, said.params
  from incoming
  cross join in_context on in_context.place = incoming.context
  left join said on said.place = incoming.place
  where true
  on conflict do nothing`

/** Each with the rows without which it has nothing to do. */
const STATEMENTS: readonly (readonly [keyof Rows, SQL])[] = [
  ['userIds', selectGrowth],
  ['eventIds', insertEventIds],
  ['names', insertNames],
  ['contexts', insertContexts],
  ['changes', markChanges],
  ['users', addToUsers],
  ['sessions', insertSessions],
  ['events', insertEvents],
]

function listOf(names: readonly PropertyName[], make: (name: PropertyName) => SQL): SQL {
  return sql.join(names.map(make), sql`, `)
}

function stampOf(name: PropertyName): SQL {
  return columnOf(users, `${name}Stamp`)
}

/** Those of these ids (16 bytes in hexadecimal) that events were stored under. */
export function selectKnownIds(db: BatchDatabase, ids: readonly { applicationId: number; id: string }[]) {
  return db
    .select({ applicationId: eventIds.applicationId, id: sql<string>`lower(hex(${eventIds.eventId}))` })
    .from(sql`json_each(${JSON.stringify(ids)}) as r`)
    .innerJoin(
      eventIds,
      sql`${eventIds.applicationId} = r.value ->> 'applicationId' and ${eventIds.eventId} = unhex(r.value ->> 'id')`,
    )
}

/** Those of these applications that are there: where their events go, from which day on, and whether (1 or 0) anybody was erased. */
export function selectDestinations(db: Database, applicationIds: readonly number[]) {
  const { id, databases, keptFrom } = applications
  const erased = sql`select 1 from ${erasures} where ${erasures.applicationId} = ${id}`
  return db
    .select({ id, databases, keptFrom, hasErasures: sql<number>`exists (${erased})` })
    .from(applications)
    .where(sql`${id} in (select value from ${each(applicationIds)})`)
}

export interface ErasedUser {
  readonly applicationId: number
  /** 16 bytes in hexadecimal. */
  readonly userHash: string
}

/** Those of these users who were erased: when, and whether (1 or 0) nothing is stored of them any more. */
export function selectErasures(db: Database, users: readonly ErasedUser[]) {
  const { applicationId, userHash, erasedAt, isBlocked } = erasures
  return db
    .select({ applicationId, userHash: sql<string>`lower(hex(${userHash}))`, erasedAt, isBlocked })
    .from(sql`json_each(${JSON.stringify(users)}) as r`)
    .innerJoin(
      erasures,
      sql`${applicationId} = r.value ->> 'applicationId' and ${userHash} = unhex(r.value ->> 'userHash')`,
    )
}
