import { fillPlaceholders, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { EntryQuota } from '../accounts/quotas/quota.ts'
import { CONTEXT_PROPERTIES, OTHER_NAME, PROPERTIES, type PropertyName, USER_PROPERTIES } from '../base/event.ts'
import { idsOf } from '../storage/activity.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { columnOf, countIn, isEarlier, keepLatest } from '../storage/json-rows.ts'
import { changes, contexts, eventIds, eventNames, events, layouts, sessions, users } from '../storage/schema.ts'
import { CELLS, type Cells, type Kind, NO_ROWS, type RowTexts } from './cells.ts'

/**
 * The statements that store these rows in the database of this number; run them as one batch, in this order. Totals count only
 * events that are not there yet, and the events come last: run again, they change nothing but the revisions of changes. An event id
 * that is there already makes the batch fail. Their rows say what is new (`NewEntries`) and which objects have changes (`ObjectKey`).
 */
export function storeStatements(
  db: BatchDatabase,
  texts: RowTexts,
  { now, number }: { readonly now: number; readonly number: number },
): D1PreparedStatement[] {
  const values = { ...texts, now, firstId: idsOf(number).after, lastId: idsOf(number).before - 1 }
  queries ??= STATEMENTS.map(([from, statement]) => ({ from, ...new SQLiteAsyncDialect().sqlToQuery(statement) }))
  return queries
    .filter(({ from }) => texts[from] !== NO_ROWS)
    .map(({ sql, params }) => db.$client.prepare(sql).bind(...fillPlaceholders(params, values)))
}

/** Only the values differ from batch to batch; building the text of the statements takes longer than running one. */
let queries: { readonly from: Kind; readonly sql: string; readonly params: unknown[] }[] | undefined

/** The JSON of these rows, as a parameter. */
function rowsOf(kind: Kind): Placeholder {
  return sql.placeholder(kind)
}

/** A cell of the row `r`. */
function cell<K extends Kind>(kind: K, name: Cells[K][number]): SQL {
  return sql.raw(`r.value ->> ${indexOf(kind, name)}`)
}

/** The JSON of a cell of the row `r`. */
function jsonCell<K extends Kind>(kind: K, name: Cells[K][number]): SQL {
  return sql.raw(`r.value -> ${indexOf(kind, name)}`)
}

function indexOf<K extends Kind>(kind: K, name: Cells[K][number]): number {
  const index = CELLS[kind].indexOf(name)
  if (index < 0) throw new Error(`Rows of ${kind} have no cell for ${String(name)}`)
  return index
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

/** What identifies an event whose name is `named`. */
interface EventKey {
  readonly time: SQL
  readonly telegramId: SQL
  readonly key: SQL
}

/** `cross join` keeps the loops as they are written; the planner would try every pair. */
function isStoredUnder(name: SQL, { time, telegramId, key }: EventKey): SQL {
  return sql`
    known.application_id = named.application_id and known.name_id = ${name} and known.time = ${time}
      and known.telegram_id = ${telegramId} and known.event_key = ${key}`
}

/** An event may have been stored under `(other)` before its name was. */
function isStoredUnderOther(key: EventKey): SQL {
  return sql`exists (
    select 1 from other cross join ${events} as known on ${isStoredUnder(sql`other.id`, key)}
    where other.application_id = named.application_id
  )`
}

const other = sql`
  other as materialized (
    select o.application_id, o.id from ${eventNames} as o
    where o.name = ${sql.raw(`'${OTHER_NAME}'`)} and o.application_id in (select application_id from named)
  )`

function isStored(key: EventKey): SQL {
  return sql`(
    ${isStoredUnderOther(key)} or exists (select 1 from ${events} as known where ${isStoredUnder(sql`named.id`, key)})
  )`
}

/** How many of a user's events are there already. */
const repeated = sql`
  given_keys as materialized (select jsonb(value) as value from json_each(${rowsOf('keys')})),
  repeated as materialized (
    select ${cell('keys', 'user')} as user, count(*) as events
    from given_keys as r cross join named on named.idx = ${cell('keys', 'name')}
    where ${isStored({ time: cell('keys', 'time'), telegramId: cell('keys', 'telegramId'), key: cell('keys', 'key') })}
    group by 1
  )`

/** What those of a user's events moved that are not there yet. */
const newVolume = sql`(
  select total(e.value ->> 3) from json_each(${cell('users', 'volumes')}) as e cross join named on named.idx = e.value ->> 0
  where not ${isStored({ time: sql`e.value ->> 1`, telegramId: cell('users', 'telegramId'), key: sql`e.value ->> 2` })}
)`

const utmStamp = columnOf(users, 'utmStamp')

/** Latest word wins, first start parameter wins, totals add up. Stamp 0 stands for "never said". */
const addToUsers = sql`
  with ${named}, ${other}, ${repeated},
  given as materialized (select jsonb(value) as value from json_each(${rowsOf('users')}))
  insert into ${users} (
    application_id, telegram_id, first_active_at, last_active_at, total_events, total_sessions, curr_volume,
    utm, utm_stamp,
    ${listOf(USER_PROPERTIES, (name) => sql`${columnOf(users, name)}, ${stampOf(name)}`)}
  )
  select
    ${cell('users', 'applicationId')}, ${cell('users', 'telegramId')},
    ${cell('users', 'firstActiveAt')}, ${cell('users', 'lastActiveAt')},
    ${cell('users', 'events')} - coalesce(repeated.events, 0),
    (
      select count(*) from json_each(${cell('users', 'sessions')}) as s
      where not exists (
        select 1 from ${sessions} as known
        where known.application_id = ${cell('users', 'applicationId')}
          and known.telegram_id = ${cell('users', 'telegramId')} and known.session = s.value
      )
    ),
    ${newVolume},
    ${cell('users', 'utm')}, coalesce(${cell('users', 'utmTime')} << 20 | ${cell('users', 'utmTie')}, 0),
    ${listOf(USER_PROPERTIES, (name) => sql`${lastWord(name)}, ${stampOfLastWord(name)}`)}
  from given as r
  left join repeated on repeated.user = ${cell('users', 'index')}
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

/** Each is parsed once, as reading each cell out of the text takes longer. */
const insertEvents = sql`
  with ${named}, ${other}, ${inContext},
  given as materialized (select jsonb(value) as value from json_each(${rowsOf('events')}))
  insert into ${events} (application_id, name_id, time, telegram_id, event_key, context_id, params)
  select named.application_id, named.id, ${cell('events', 'time')}, ${cell('events', 'telegramId')}, ${cell('events', 'key')},
    in_context.id, nullif(${jsonCell('events', 'params')}, 'null')
  from given as r
  cross join named on named.idx = ${cell('events', 'name')}
  cross join in_context on in_context.idx = ${cell('events', 'context')}
  where not ${isStoredUnderOther({
    time: cell('events', 'time'),
    telegramId: cell('events', 'telegramId'),
    key: cell('events', 'key'),
  })}
  on conflict do nothing`

/** Each with the rows without which it has nothing to do. */
const STATEMENTS: readonly (readonly [Kind, SQL])[] = [
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
