import { fillPlaceholders, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { QuotaName } from '../quotas/quota.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { changes, contexts, eventIds, eventNames, events, layouts, sessions, users } from '../storage/schema.ts'
import { CONTEXT_PROPERTIES, PROPERTIES, type PropertyName, USER_PROPERTIES } from './event.ts'
import type { Rows } from './rows.ts'

/**
 * The statements that store these rows; run them as one batch, in this order. Totals count only events that are not there
 * yet, the events come last: run again, they change nothing but the marks of changes. An event id that is there already makes
 * the batch fail. Their rows say what is new (`Growth`) and which objects have changes (`ObjectKey`).
 */
export function storeStatements(db: BatchDatabase, rows: Rows, now: number): D1PreparedStatement[] {
  const texts = Object.entries(rows).map(([name, list]) => [name, JSON.stringify(list)] as const)
  const values = { ...Object.fromEntries(texts), now }
  queries ??= STATEMENTS.map(([from, statement]) => ({ from, ...new SQLiteAsyncDialect().sqlToQuery(statement) }))
  return queries
    .filter(({ from }) => rows[from].length > 0)
    .map(({ sql, params }) => db.$client.prepare(sql).bind(...fillPlaceholders(params, values)))
}

/** Only the values differ from batch to batch; building the text of the statements takes longer than running one. */
let queries: { readonly from: keyof Rows; readonly sql: string; readonly params: unknown[] }[] | undefined

/** Rows as the JSON that a statement is given. */
function rowsOf(name: keyof Rows): Placeholder {
  return sql.placeholder(name)
}

/** The names, contexts and users that are not there yet, counted by application and scope (`Growth`). */
const selectGrowth = sql.join(
  [
    growthOf({ quota: 'newNames', rows: 'names', table: eventNames, field: 'name', bytes: sql`100` }),
    growthOf({
      quota: 'newContexts',
      rows: 'contexts',
      table: contexts,
      field: 'fingerprint',
      // Once as the fingerprint, once in its index, once in columns.
      bytes: sql`3 * length(r.value ->> 'fingerprint')`,
    }),
    growthOf({ quota: 'newUsers', rows: 'userIds', table: users, field: 'telegramId', bytes: sql`300` }),
  ],
  sql` union all `,
)

interface Growing {
  readonly quota: QuotaName
  readonly rows: keyof Rows
  readonly table: SQLiteTable
  /** What tells one from another within an application. */
  readonly field: 'name' | 'fingerprint' | 'telegramId'
  /** About how much one takes in the database. */
  readonly bytes: SQL
}

function growthOf({ quota, rows, table, field, bytes }: Growing): SQL {
  const column = columnOf(getTableColumns(table), field)
  const name = sql.raw(`'${field}'`)
  return sql`
    select r.value ->> 'applicationId' as applicationId, r.value ->> 'scope' as scope, ${sql.raw(`'${quota}'`)} as quota,
      count(*) as count, sum(${bytes}) as bytes
    from json_each(${rowsOf(rows)}) as r
    where not exists (
      select 1 from ${table} as known
      where known.application_id = r.value ->> 'applicationId' and known.${column} = r.value ->> ${name}
    )
    group by 1, 2`
}

const insertEventIds = sql`
  insert into ${eventIds} (application_id, event_id)
  select r.value ->> 'applicationId', unhex(r.value ->> 'id')
  from json_each(${rowsOf('eventIds')}) as r`

const insertNames = sql`
  insert into ${eventNames} (application_id, name)
  select r.value ->> 'applicationId', r.value ->> 'name'
  from json_each(${rowsOf('names')}) as r
  where true
  on conflict do nothing`

const contextColumns = getTableColumns(contexts) as Record<string, { readonly name: string }>

const insertContexts = sql`
  insert into ${contexts} (application_id, fingerprint, ${listOf(CONTEXT_PROPERTIES, (name) => columnOf(contextColumns, name))})
  select r.value ->> 'applicationId', r.value ->> 'fingerprint', ${listOf(CONTEXT_PROPERTIES, (name) => sql`r.value ->> ${literal(name)}`)}
  from json_each(${rowsOf('contexts')}) as r
  where not exists (
    select 1 from ${contexts} as known
    where known.application_id = r.value ->> 'applicationId' and known.fingerprint = r.value ->> 'fingerprint'
  )`

/** `place` → id of the names, and of the contexts, that the events point at. */
const named = sql`
  named as materialized (
    select n.key as place, e.application_id, e.id
    from json_each(${rowsOf('names')}) as n
    cross join ${eventNames} as e on e.application_id = n.value ->> 'applicationId' and e.name = n.value ->> 'name'
  )`

/** A change for each part of each layout of the application that has one of the users. Its rows tell the objects (`ObjectKey`). */
const markChanges = sql`
  with ${named},
  spread as materialized (
    select named.*, coalesce(l.objects, 1) as objects
    from named left join ${layouts} as l on l.application_id = named.application_id
  ),
  said as materialized (select jsonb(value) as row from json_each(${rowsOf('changes')}))
  insert into ${changes} (application_id, objects, part, name_id, hour, from_time, to_time, mark, marked_at)
  select distinct spread.application_id, spread.objects, slot.value % spread.objects, spread.id,
    row ->> 'hour', row ->> 'from', row ->> 'to', 1, ${sql.placeholder('now')}
  from said
  cross join spread on spread.place = row ->> 'name'
  cross join json_each(row -> 'slots') as slot
  where true
  on conflict do update set
    from_time = min(from_time, excluded.from_time), to_time = max(to_time, excluded.to_time), mark = mark + 1
  returning application_id as applicationId, objects, part`

const inContext = sql`
  in_context as materialized (
    select n.key as place, c.id
    from json_each(${rowsOf('contexts')}) as n
    cross join ${contexts} as c
      on c.application_id = n.value ->> 'applicationId' and c.fingerprint = n.value ->> 'fingerprint'
  )`

/**
 * The events, parsed once: a dozen values out of each text would take twice as long. `cross join` keeps them the outer loop;
 * the planner would try every pair.
 */
const incoming = sql`
  parsed as materialized (select key as place, jsonb(value) as row from json_each(${rowsOf('events')})),
  incoming as materialized (
    select named.application_id, named.id as name_id, parsed.place, row ->> 'time' as time,
      row ->> 'telegramId' as telegram_id, row ->> 'key' as event_key, row ->> 'user' as user,
      row ->> 'context' as context, row ->> 'volume' as volume
    from parsed
    cross join named on named.place = row ->> 'name'
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

const userColumns = getTableColumns(users) as Record<string, { readonly name: string }>

/** Latest word wins, first start parameter wins, totals add up. Stamp 0 stands for "never said". */
const addToUsers = sql`
  with ${named}, ${incoming}, ${fresh},
  totals as materialized (
    select user, count(*) as events, total(volume) as volume from fresh group by user
  ),
  said as materialized (select jsonb(value) as row from json_each(${rowsOf('users')}))
  insert into ${users} (
    application_id, telegram_id, first_active_at, last_active_at, total_events, total_sessions, curr_volume,
    utm, utm_stamp,
    ${listOf(USER_PROPERTIES, (name) => sql`${columnOf(userColumns, name)}, ${stampOf(name)}`)}
  )
  select
    row ->> 'applicationId', row ->> 'telegramId', row ->> 'firstActiveAt', row ->> 'lastActiveAt',
    coalesce(totals.events, 0),
    (
      select count(*) from json_each(row -> 'sessions') as s
      where not exists (
        select 1 from ${sessions} as known
        where known.application_id = row ->> 'applicationId' and known.telegram_id = row ->> 'telegramId'
          and known.session = s.value
      )
    ),
    coalesce(totals.volume, 0),
    row ->> 'utm', coalesce(row ->> 'utmTime' << 20 | row ->> 'utmTie', 0),
    ${listOf(USER_PROPERTIES, (name) => sql`${lastWord(name)}, ${stampOfLastWord(name)}`)}
  from said
  left join totals on totals.user = row ->> 'place'
  where true
  on conflict (application_id, telegram_id) do update set
    first_active_at = min(first_active_at, excluded.first_active_at),
    last_active_at = max(last_active_at, excluded.last_active_at),
    total_events = total_events + excluded.total_events,
    total_sessions = total_sessions + excluded.total_sessions,
    curr_volume = curr_volume + excluded.curr_volume,
    utm = iif(${isFirstStartParameter()}, excluded.utm, utm),
    utm_stamp = iif(${isFirstStartParameter()}, excluded.utm_stamp, utm_stamp),
    ${listOf(USER_PROPERTIES, updateOf)}`

function lastWord(name: PropertyName): SQL {
  const value = sql`row ->> ${literal(name)}`
  return PROPERTIES[name].type === 'number' ? sql`coalesce(${value}, 0)` : value
}

function stampOfLastWord(name: PropertyName): SQL {
  return sql`iif(row ->> ${literal(name)} is null, 0, row ->> 'time' << 20 | row ->> 'tie')`
}

function updateOf(name: PropertyName): SQL {
  const [column, stamp] = [columnOf(userColumns, name), stampOf(name)]
  return sql`
    ${column} = iif(excluded.${stamp} > ${stamp}, excluded.${column}, ${column}),
    ${stamp} = max(excluded.${stamp}, ${stamp})`
}

function isFirstStartParameter(): SQL {
  return sql`excluded.utm_stamp > 0 and (utm_stamp = 0 or excluded.utm_stamp < utm_stamp)`
}

const insertSessions = sql`
  insert into ${sessions} (application_id, telegram_id, session, day)
  select r.value ->> 'applicationId', r.value ->> 'telegramId', r.value ->> 'session', r.value ->> 'day'
  from json_each(${rowsOf('sessions')}) as r
  where true
  on conflict do nothing`

const insertEvents = sql`
  with ${named}, ${incoming}, ${inContext},
  said as materialized (
    select r.value ->> 'event' as place, r.value ->> 'params' as params from json_each(${rowsOf('params')}) as r
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

/** Names of properties are ours, never a client's. */
function literal(name: PropertyName): SQL {
  return sql.raw(`'${name}'`)
}

function stampOf(name: PropertyName): SQL {
  return columnOf(userColumns, `${name}Stamp`)
}

/** A new property has no column until schema.ts gives it one. */
function columnOf(columns: Record<string, { readonly name: string }>, property: string): SQL {
  const column = columns[property]
  if (!column) throw new Error(`No column for the property ${property}`)
  return sql.identifier(column.name) as unknown as SQL
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
