import { and, eq, getTableColumns, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { CONTEXT_PROPERTIES, type PropertyName } from '../collection/event.ts'
import type { BatchDatabase } from '../storage/database.ts'
import { each } from '../storage/json-rows.ts'
import { contexts, eventNames, events, users } from '../storage/schema.ts'
import type { Place } from './activity.ts'
import type { ContextRow } from './contexts.ts'

/** Whose events an object keeps: of an application the users of one part, by messenger id. */
export interface Share {
  readonly applicationId: number
  readonly objects: number
  readonly part: number
}

/** A stretch of the events of one name, in their order: after one place, up to and including another. */
export interface NameStretch {
  readonly after: Place
  readonly upTo: Place
}

/** An event as it is stored. */
export type EventRow = [
  nameId: number,
  time: number,
  telegramId: number,
  key: number,
  contextId: number,
  params: string | null,
]

const COLUMNS = sql`e.name_id, e.time, e.telegram_id, e.event_key, e.context_id, e.params`

/** How much a read brings at most. */
export interface ReadLimit {
  readonly events: number
  /** Of parameters; the event that goes beyond is the last one. */
  readonly characters: number
}

/** Of these events, in their order, as many as a read may bring. */
function limited(rows: SQL, { events, characters }: ReadLimit): SQL {
  return sql`
    select name_id, time, telegram_id, event_key, context_id, params from (
      select *, sum(length(params)) over (rows between unbounded preceding and 1 preceding) as characters
      from (${rows} limit ${events})
    ) where ifnull(characters, 0) <= ${characters}`
}

/** The events of stretches, in order: `cross join` keeps the loops as they are written. */
export function selectStretches(
  db: BatchDatabase,
  share: Share,
  { stretches, limit }: { stretches: readonly NameStretch[]; limit: ReadLimit },
) {
  const rows = stretches.map(({ after, upTo }) => [after.nameId, after.time, after.telegramId, after.key, upTo.time])
  const found = sql`
    select ${COLUMNS} from ${each(rows)} as s
    cross join ${events} as e on e.application_id = ${share.applicationId} and e.name_id = s.value ->> 0
      and (e.time, e.telegram_id, e.event_key) > (s.value ->> 1, s.value ->> 2, s.value ->> 3) and e.time <= s.value ->> 4
    where ${isOfPart(share)}`
  return db.values<EventRow>(limited(found, limit))
}

/** The events of all names after a place, in order. */
export function selectAfter(db: BatchDatabase, share: Share, { after, limit }: { after: Place; limit: ReadLimit }) {
  const found = sql`
    select ${COLUMNS} from ${events} as e
    where e.application_id = ${share.applicationId} and ${isOfPart(share)}
      and (e.name_id, e.time, e.telegram_id, e.event_key) > (${after.nameId}, ${after.time}, ${after.telegramId}, ${after.key})
    order by e.name_id, e.time, e.telegram_id, e.event_key`
  return db.values<EventRow>(limited(found, limit))
}

function isOfPart({ objects, part }: Share): SQL {
  return objects === 1 ? sql`true` : sql`e.telegram_id % ${objects} = ${part}`
}

export function selectNames(db: BatchDatabase, ids: readonly number[]) {
  return db
    .select({ id: eventNames.id, name: eventNames.name })
    .from(eventNames)
    .where(sql`${eventNames.id} in (select value from ${each(ids)})`)
}

/** Those of these users who were there before a moment, by messenger id. */
export function selectKnownBefore(
  db: BatchDatabase,
  { applicationId }: Share,
  { ids, time }: { readonly ids: readonly number[]; readonly time: number },
) {
  const { telegramId, firstActiveAt } = users
  const isAsked = sql`${telegramId} in (select value from ${each(ids)})`
  return db
    .select({ telegramId })
    .from(users)
    .where(and(eq(users.applicationId, applicationId), isAsked, lt(firstActiveAt, time)))
}

/** How many of these names or contexts an application has. */
export function countKnown(
  db: BatchDatabase,
  { applicationId }: Share,
  { kind, ids }: { readonly kind: 'names' | 'contexts'; readonly ids: readonly number[] },
) {
  const table = kind === 'names' ? eventNames : contexts
  return db
    .select({ count: sql<number>`count(*)` })
    .from(table)
    .where(sql`${table.id} in (select value from ${each(ids)}) and ${table.applicationId} = ${applicationId}`)
}

export function selectContexts(db: BatchDatabase, ids: readonly number[]): Promise<ContextRow[]> {
  const rows = db
    .select({ id: contexts.id, ...columnsOf(CONTEXT_PROPERTIES) })
    .from(contexts)
    .where(sql`${contexts.id} in (select value from ${each(ids)})`)
  return rows as unknown as Promise<ContextRow[]>
}

/** The contexts of an application that say at least one of these properties; the others are left out of the rows. */
export function selectContextsSaying(
  db: BatchDatabase,
  { applicationId }: Share,
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

/** How many events a name has on a day. */
export interface DayCount {
  readonly nameId: number
  readonly day: number
  readonly events: number
}

/** By the database, for each of these days and each name that has events on it. */
export function countEvents(db: BatchDatabase, share: Share, days: readonly number[]) {
  const { applicationId } = share
  const count = sql<number>`(select count(*) from ${events} as e
    where e.application_id = ${applicationId} and e.name_id = ${eventNames.id} and ${isOfPart(share)}
      and e.time >= d.value * 86400000 and e.time < (d.value + 1) * 86400000)`
  const counts = db
    .select({ nameId: eventNames.id, day: sql<number>`d.value`.as('day'), events: count.as('events') })
    .from(eventNames)
    .crossJoin(sql`${each(days)} as d`)
    .where(eq(eventNames.applicationId, applicationId))
    // With a limit it is no part of the outer query, which would count twice.
    .limit(-1)
    .as('counts')
  return db.select().from(counts).where(gt(counts.events, 0))
}
