import { and, eq, getTableColumns, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { CONTEXT_PROPERTIES, type PropertyName } from '../base/event.ts'
import type { Calendar } from '../base/time/calendar.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { each } from '../storage/json-rows.ts'
import { countOf, type ObjectKey } from '../storage/object-name.ts'
import { contexts, eventNames, events, users } from '../storage/schema.ts'
import { isErasedText, textsOf } from '../storage/texts.ts'
import type { EventCursor, KeyRange } from './chunk.ts'
import type { ContextRow } from './contexts.ts'

/** An event as it is stored. */
export type StoredEventRow = [
  nameId: number,
  time: number,
  telegramId: number,
  key: number,
  contextId: number,
  params: string | null,
]

const COLUMNS = sql`e.name_id, e.time, e.telegram_id, e.event_key, e.context_id, e.params`

/** The most that one read returns. */
export interface ReadLimit {
  readonly events: number
  /** The characters of parameters. The event that exceeds them is the last one. */
  readonly characters: number
}

/** The first of these events, as many as the limit allows. */
function limited(rows: SQL, { events, characters }: ReadLimit): SQL {
  return sql`
    select name_id, time, telegram_id, event_key, context_id, params from (
      select *, sum(length(params)) over (rows between unbounded preceding and 1 preceding) as characters
      from (${rows} limit ${events})
    ) where ifnull(characters, 0) <= ${characters}`
}

/** The events in these ranges, each of one name, in order: `cross join` keeps the loops as they are written. */
export function selectRanges(
  db: BatchDatabase,
  key: ObjectKey,
  { ranges, limit }: { ranges: readonly KeyRange[]; limit: ReadLimit },
) {
  const rows = ranges.map(({ after, upTo }) => [after.nameId, after.time, after.telegramId, after.key, upTo.time])
  const found = sql`
    select ${COLUMNS} from ${each(rows)} as s
    cross join ${events} as e on e.application_id = ${key.applicationId} and e.name_id = s.value ->> 0
      and (e.time, e.telegram_id, e.event_key) > (s.value ->> 1, s.value ->> 2, s.value ->> 3) and e.time <= s.value ->> 4
    where ${isOfObject(key)}`
  return db.values<StoredEventRow>(limited(found, limit))
}

/** The events of all names after a cursor, in order. */
export function selectAfter(
  db: BatchDatabase,
  key: ObjectKey,
  { after, limit }: { after: EventCursor; limit: ReadLimit },
) {
  const found = sql`
    select ${COLUMNS} from ${events} as e
    where e.application_id = ${key.applicationId} and ${isOfObject(key)}
      and (e.name_id, e.time, e.telegram_id, e.event_key) > (${after.nameId}, ${after.time}, ${after.telegramId}, ${after.key})
    order by e.name_id, e.time, e.telegram_id, e.event_key`
  return db.values<StoredEventRow>(limited(found, limit))
}

function isOfObject({ objects, part }: ObjectKey): SQL {
  const count = countOf(objects)
  return count === 1 ? sql`true` : sql`e.telegram_id % ${count} = ${part}`
}

export function selectNames(db: BatchDatabase, ids: readonly number[]) {
  return db
    .select({ id: eventNames.id, name: eventNames.name })
    .from(eventNames)
    .where(sql`${eventNames.id} in (select value from ${each(ids)})`)
}

/** The messenger ids of those users who were first active before a time. */
export function selectKnownBefore(
  db: BatchDatabase,
  { applicationId }: ObjectKey,
  { ids, time }: { readonly ids: readonly number[]; readonly time: number },
) {
  const { telegramId, firstActiveAt } = users
  const isAsked = sql`${telegramId} in (select value from ${each(ids)})`
  return db
    .select({ telegramId })
    .from(users)
    .where(and(eq(users.applicationId, applicationId), isAsked, lt(firstActiveAt, time)))
}

/** What is remembered of those of these users who have had first events that are no longer stored. */
export function selectRemembered(
  db: BatchDatabase,
  { applicationId }: Pick<ObjectKey, 'applicationId'>,
  ids: readonly number[],
) {
  const { telegramId, firstTime, firstContextId, startTime, startContextId } = users
  const [time, context] = [sql<number>`${firstTime}`, sql<number>`${firstContextId}`]
  return db
    .select({ telegramId, time, context, startTime, startContext: startContextId })
    .from(users)
    .where(
      and(
        eq(users.applicationId, applicationId),
        sql`${telegramId} in (select value from ${each(ids)})`,
        isNotNull(firstContextId),
      ),
    )
}

/** A row if any user of the application has had first events that are no longer stored. */
export function selectRemembering(db: BatchDatabase, { applicationId }: ObjectKey) {
  const { telegramId, firstContextId } = users
  return db
    .select({ telegramId })
    .from(users)
    .where(and(eq(users.applicationId, applicationId), isNotNull(firstContextId)))
    .limit(1)
}

/** Counts how many of these names or contexts the application has, without erased ones. */
export function countKnown(
  db: BatchDatabase,
  { applicationId }: ObjectKey,
  { kind, ids }: { readonly kind: 'names' | 'contexts'; readonly ids: readonly number[] },
) {
  const { table, fields } = textsOf(kind)
  const isIt = sql`${table.id} in (select value from ${each(ids)}) and ${table.applicationId} = ${applicationId}`
  return db
    .select({ count: sql<number>`count(*)` })
    .from(table)
    .where(sql`${isIt} and not ${isErasedText(fields.text, fields.id)}`)
}

export function selectContexts(db: BatchDatabase, ids: readonly number[]): Promise<ContextRow[]> {
  const rows = db
    .select({ id: contexts.id, ...columnsOf(CONTEXT_PROPERTIES) })
    .from(contexts)
    .where(sql`${contexts.id} in (select value from ${each(ids)})`)
  return rows as unknown as Promise<ContextRow[]>
}

/** The application's contexts with a value for at least one of these properties, and only these properties. */
export function selectContextsSaying(
  db: BatchDatabase,
  { applicationId }: ObjectKey,
  properties: readonly PropertyName[],
): Promise<ContextRow[]> {
  const columns = columnsOf(properties)
  const rows = db
    .select({ id: contexts.id, ...columns })
    .from(contexts)
    .where(and(eq(contexts.applicationId, applicationId), or(...Object.values(columns).map(isNotNull))))
  return rows as unknown as Promise<ContextRow[]>
}

function columnsOf(properties: readonly PropertyName[]): Record<string, SQLiteColumn> {
  const known = getTableColumns(contexts) as Record<string, SQLiteColumn>
  return Object.fromEntries(properties.map((name) => [name, known[name] as SQLiteColumn]))
}

/** The number of events of a name on a day. */
export interface DayCount {
  readonly nameId: number
  readonly day: number
  readonly events: number
}

/** Has the database count the events of each name on each of these days of a calendar. */
export function countEvents(
  db: BatchDatabase,
  key: ObjectKey,
  { days, calendar }: { days: readonly number[]; calendar: Calendar },
) {
  const { applicationId } = key
  const spans = days.map((day) => [day, calendar.startOf(day), calendar.startOf(day + 1)])
  const count = sql<number>`(select count(*) from ${events} as e
    where e.application_id = ${applicationId} and e.name_id = ${eventNames.id} and ${isOfObject(key)}
      and e.time >= d.value ->> 1 and e.time < d.value ->> 2)`
  const counts = db
    .select({ nameId: eventNames.id, day: sql<number>`d.value ->> 0`.as('day'), events: count.as('events') })
    .from(eventNames)
    .crossJoin(sql`${each(spans)} as d`)
    .where(eq(eventNames.applicationId, applicationId))
    // Without a limit SQLite merges this into the outer query and counts twice.
    .limit(-1)
    .as('counts')
  return db.select().from(counts).where(gt(counts.events, 0))
}
