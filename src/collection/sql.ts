import { fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { EntryQuota } from '../accounts/quotas/quota.ts'
import { CONTEXT_PROPERTIES, OTHER_NAME, PROPERTIES, type PropertyName, USER_PROPERTIES } from '../base/event.ts'
import { idsOf } from '../storage/activity.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { columnOf, countIn, isEarlier, keepLatest } from '../storage/json-rows.ts'
import { changes, contexts, eventIds, eventNames, events, layouts, sessions, users } from '../storage/schema.ts'
import type { ActivityRows } from './rows.ts'

/**
 * The statements that store these rows in the database of this number; run them as one batch, in this order. Totals count only
 * events that are not there yet, and the events come last: run again, they change nothing but the revisions of changes. An event id
 * that is there already makes the batch fail. Their rows say what is new (`NewEntries`) and which objects have changes (`ObjectKey`).
 */
export function storeStatements(
  db: BatchDatabase,
  rows: ActivityRows,
  { now, number }: { readonly now: number; readonly number: number },
): D1PreparedStatement[] {
  const texts = (Object.keys(CELLS) as Kind[]).map((kind) => [kind, JSON.stringify(toCells(rows, kind))] as const)
  const values = { ...Object.fromEntries(texts), now, firstId: idsOf(number).after, lastId: idsOf(number).before - 1 }
  queries ??= STATEMENTS.map(([from, statement]) => ({ from, ...new SQLiteAsyncDialect().sqlToQuery(statement) }))
  return queries
    .filter(({ from }) => rows[from].length > 0)
    .map(({ sql, params }) => db.$client.prepare(sql).bind(...fillPlaceholders(params, values)))
}

/** Only the values differ from batch to batch; building the text of the statements takes longer than running one. */
let queries: { readonly from: keyof ActivityRows; readonly sql: string; readonly params: unknown[] }[] | undefined

type Kind = keyof ActivityRows
type Cells = { readonly [K in Kind]: readonly (keyof ActivityRows[K][number])[] }

/** Statements read rows as JSON arrays of these cells: objects would take twice the text and longer to read. */
const CELLS: Cells = {
  names: ['applicationId', 'name', 'share'],
  contexts: ['applicationId', 'fingerprint', 'share', ...CONTEXT_PROPERTIES],
  userIds: ['applicationId', 'telegramId', 'share'],
  events: ['name', 'context', 'user', 'time', 'telegramId', 'key', 'volume'],
  users: [
    ...(['applicationId', 'telegramId', 'index', 'sessions', 'firstActiveAt', 'lastActiveAt', 'time', 'tie'] as const),
    ...(['utm', 'utmTime', 'utmTie'] as const),
    ...USER_PROPERTIES,
  ],
  sessions: ['applicationId', 'telegramId', 'session', 'day'],
  eventIds: ['applicationId', 'row', 'members'],
  params: ['event', 'params'],
  changes: ['name', 'bucket', 'isLive', 'from', 'to', 'slots'],
}

function toCells<K extends Kind>(rows: ActivityRows, kind: K): unknown[][] {
  const cells = CELLS[kind]
  return rows[kind].map((row: ActivityRows[K][number]) => cells.map((name) => row[name]))
}

/** The JSON of these rows, as a parameter. */
function rowsOf(kind: Kind): Placeholder {
  return sql.placeholder(kind)
}

/** A cell of the row `r`. */
function cell<K extends Kind>(kind: K, name: Cells[K][number]): SQL {
  const index = CELLS[kind].indexOf(name)
  if (index < 0) throw new Error(`Rows of ${kind} have no cell for ${String(name)}`)
  return sql.raw(`r.value ->> ${index}`)
}

/** The rows of names, contexts and users, their table, and what tells one from another within an application. */
const DISTINCT = {
  names: { table: eventNames, field: 'name' },
  contexts: { table: contexts, field: 'fingerprint' },
  userIds: { table: users, field: 'telegramId' },
} as const

type Distinct = keyof typeof DISTINCT

/** Whether the row `known` of the table is the row `r`. */
function isKnown(rows: Distinct): SQL {
  const { table, field } = DISTINCT[rows]
  return sql`known.application_id = ${cell(rows, 'applicationId')} and known.${columnOf(table, field)} = ${cell(rows, field as never)}`
}

function isNew(rows: Distinct): SQL {
  return sql`not exists (select 1 from ${DISTINCT[rows].table} as known where ${isKnown(rows)})`
}

/** About how many bytes a new name, context or user takes in the database. */
const GROWING = [
  ['newNames', 'names', sql`100`],
  // Once as the fingerprint, once in its index, once in columns.
  ['newContexts', 'contexts', sql`3 * length(${cell('contexts', 'fingerprint')})`],
  ['newUsers', 'userIds', sql`300`],
] as const satisfies readonly (readonly [EntryQuota, Distinct, SQL])[]

/** The names, contexts and users that are not there yet, counted by application and share (`NewEntries`). */
const selectGrowth = sql.join(
  GROWING.map(
    ([quota, rows, bytes]) => sql`
    select ${cell(rows, 'applicationId')} as applicationId, ${cell(rows, 'share')} as share,
      ${sql.raw(`'${quota}'`)} as quota, count(*) as count, sum(${bytes}) as bytes
    from json_each(${rowsOf(rows)}) as r
    where ${isNew(rows)}
    group by 1, 2`,
  ),
  sql` union all `,
)

/** Fails, for `isTakenId`, if a row has one of the ids: `members` is never null. */
const insertEventIds = sql`
  insert into ${eventIds} (application_id, event_id, members)
  select ${cell('eventIds', 'applicationId')}, unhex(${cell('eventIds', 'row')}), ${cell('eventIds', 'members')}
  from json_each(${rowsOf('eventIds')}) as r
  where true
  on conflict do update set members = iif(members & excluded.members, null, members | excluded.members)`

/** The next ids that this database assigns. */
function newIds(table: SQLiteTable): SQL {
  const [first, last] = [sql.placeholder('firstId'), sql.placeholder('lastId')]
  const greatest = sql`select g.id from ${table} as g where g.id between ${first} and ${last} order by g.id desc limit 1`
  return sql`coalesce((${greatest}), ${first}) + row_number() over ()`
}

/** Inserts the rows that are not there yet, with these cells. */
function insertNew<K extends 'names' | 'contexts'>(rows: K, names: readonly (Cells[K][number] & string)[]): SQL {
  const { table } = DISTINCT[rows]
  return sql`
    insert into ${table} (id, ${listOf(names, (name) => columnOf(table, name))})
    select ${newIds(table)}, ${listOf(names, (name) => cell(rows, name))}
    from json_each(${rowsOf(rows)}) as r
    where ${isNew(rows)}`
}

/** A table of this name: `idx` → id of the names, or of the contexts, that the events point at. */
function idsIn(name: 'named' | 'in_context', rows: 'names' | 'contexts'): SQL {
  return sql`
    ${sql.raw(name)} as materialized (
      select r.key as idx, known.application_id, known.id
      from json_each(${rowsOf(rows)}) as r
      cross join ${DISTINCT[rows].table} as known on ${isKnown(rows)}
    )`
}

const named = idsIn('named', 'names')
const inContext = idsIn('in_context', 'contexts')

/** A change for each partition, in each partitioning, that has one of the users; one of all names of live events. Returns `ObjectKey`s. */
const markChanges = sql`
  with ${named},
  spread as materialized (
    select named.*, coalesce(l.objects, 1) as objects
    from named left join ${layouts} as l on l.application_id = named.application_id
  ),
  given as materialized (select jsonb(value) as value from json_each(${rowsOf('changes')}))
  insert into ${changes} (application_id, objects, part, name_id, hour, from_time, to_time, mark, marked_at, names)
  select spread.application_id, spread.objects, slot.value % ${countIn(sql`spread.objects`)}, iif(${cell('changes', 'isLive')}, 0, spread.id),
    ${cell('changes', 'bucket')}, min(${cell('changes', 'from')}), max(${cell('changes', 'to')}), 1, ${sql.placeholder('now')},
    iif(${cell('changes', 'isLive')}, json_group_array(distinct spread.id), null)
  from given as r
  cross join spread on spread.idx = ${cell('changes', 'name')}
  cross join json_each(${cell('changes', 'slots')}) as slot
  where true
  group by 1, 2, 3, 4, 5
  on conflict do update set
    from_time = min(from_time, excluded.from_time), to_time = max(to_time, excluded.to_time), mark = mark + 1,
    names = iif(excluded.names is null, null, (
      select json_group_array(value) from (select value from json_each(names) union select value from json_each(excluded.names))
    ))
  returning application_id as applicationId, objects, part`

/**
 * The events, parsed once, as reading each cell out of the text takes longer. `cross join` keeps them the outer loop; the planner
 * would try every pair. Leaves out events that were stored under `(other)` and whose name was stored since.
 */
const incoming = sql`
  other as materialized (
    select o.application_id, o.id from ${eventNames} as o
    where o.name = ${sql.raw(`'${OTHER_NAME}'`)} and o.application_id in (select application_id from named)
  ),
  parsed as materialized (select key as idx, jsonb(value) as value from json_each(${rowsOf('events')})),
  incoming as materialized (
    select named.application_id, named.id as name_id, r.idx, ${cell('events', 'time')} as time,
      ${cell('events', 'telegramId')} as telegram_id, ${cell('events', 'key')} as event_key,
      ${cell('events', 'user')} as user, ${cell('events', 'context')} as context, ${cell('events', 'volume')} as volume
    from parsed as r
    cross join named on named.idx = ${cell('events', 'name')}
    where not exists (
      select 1 from other cross join ${events} as known
        on known.application_id = other.application_id and known.name_id = other.id
        and known.time = ${cell('events', 'time')} and known.telegram_id = ${cell('events', 'telegramId')}
        and known.event_key = ${cell('events', 'key')}
      where other.application_id = named.application_id
    )
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
  given as materialized (select jsonb(value) as value from json_each(${rowsOf('users')}))
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
  from given as r
  left join totals on totals.user = ${cell('users', 'index')}
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
  given as materialized (
    select ${cell('params', 'event')} as idx, ${cell('params', 'params')} as params from json_each(${rowsOf('params')}) as r
  )
  insert into ${events} (application_id, name_id, time, telegram_id, event_key, context_id, params)
  select incoming.application_id, name_id, time, telegram_id, event_key, in_context.id, given.params
  from incoming
  cross join in_context on in_context.idx = incoming.context
  left join given on given.idx = incoming.idx
  where true
  on conflict do nothing`

/** Each with the rows without which it has nothing to do. */
const STATEMENTS: readonly (readonly [keyof ActivityRows, SQL])[] = [
  ['userIds', selectGrowth],
  ['eventIds', insertEventIds],
  ['names', insertNew('names', ['applicationId', 'name'])],
  ['contexts', insertNew('contexts', ['applicationId', 'fingerprint', ...CONTEXT_PROPERTIES])],
  ['changes', markChanges],
  ['users', addToUsers],
  ['sessions', insertSessions],
  ['events', insertEvents],
]

function listOf<Name>(names: readonly Name[], make: (name: Name) => SQL): SQL {
  return sql.join(names.map(make), sql`, `)
}

function stampOf(name: PropertyName): SQL {
  return columnOf(users, `${name}Stamp`)
}
