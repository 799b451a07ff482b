import { and, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { NOTHING_SAID } from '../collection/event.ts'
import { KEY_BELOW } from '../collection/identity.ts'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { cell, each } from '../storage/json-rows.ts'
import {
  changes,
  contexts,
  deadLetters,
  erasures,
  eventIds,
  eventNames,
  events,
  layouts,
  sessions,
  users,
} from '../storage/schema.ts'
import { MS_PER_HOUR } from '../time/days.ts'

/** A person within an application, by messenger id. */
export interface Person {
  readonly applicationId: number
  readonly telegramId: number
}

/** Where an event stands among all of an application. */
export type Place = readonly [nameId: number, time: number, telegramId: number, key: number]

function isUser({ applicationId, telegramId }: Person): SQL {
  return and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)) as SQL
}

export function countOfUser(db: Database, person: Person) {
  const { totalEvents, totalSessions, firstActiveAt } = users
  return db.select({ events: totalEvents, sessions: totalSessions, firstActiveAt }).from(users).where(isUser(person))
}

interface ErasureRow {
  readonly applicationId: number
  /** 16 bytes in hexadecimal. */
  readonly userHash: string
}

function isErasure({ applicationId, userHash }: ErasureRow): SQL {
  return and(eq(erasures.applicationId, applicationId), eq(erasures.userHash, sql`unhex(${userHash})`)) as SQL
}

/** Without `block` somebody who is blocked stays so. */
export function upsertErasure(
  db: Database,
  { applicationId, userHash, now, block }: ErasureRow & { now: number; block: boolean | undefined },
) {
  const set = { erasedAt: now, ...(block !== undefined && { isBlocked: block }) }
  return db
    .insert(erasures)
    .values({ applicationId, userHash: sql`unhex(${userHash})`, erasedAt: now, isBlocked: block ?? false })
    .onConflictDoUpdate({ target: [erasures.applicationId, erasures.userHash], set })
}

export function selectErasure(db: Database, erasure: ErasureRow) {
  return db.select({ isBlocked: erasures.isBlocked }).from(erasures).where(isErasure(erasure))
}

/** All but those of who is blocked. */
export function deleteOldErasures(db: Database, before: number) {
  const { erasedAt, isBlocked, applicationId } = erasures
  return db
    .delete(erasures)
    .where(and(lt(erasedAt, before), eq(isBlocked, false)))
    .returning({ applicationId })
}

export function deleteUser(db: Database, person: Person) {
  return db.delete(users).where(isUser(person))
}

export function deleteSessions(db: Database, { applicationId, telegramId }: Person) {
  return db.delete(sessions).where(and(eq(sessions.applicationId, applicationId), eq(sessions.telegramId, telegramId)))
}

/** Events: rows of `name_id`, `time`, `telegram_id` and `event_key`. */
type EventRows = SQL

/** What happened after a moment (milliseconds since 1970 UTC). */
export function eventsAfter({ applicationId, telegramId }: Person, time: number): EventRows {
  return sql`select e.name_id, e.time, e.telegram_id, e.event_key, e.context_id from ${eventNames} as n
    cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = n.id and e.time > ${time}
    where n.application_id = ${applicationId} and e.telegram_id = ${telegramId}`
}

/** The names and contexts that these events have. */
export function selectUsedBy(db: BatchDatabase, rows: EventRows) {
  return db
    .selectDistinct({
      nameId: sql<number>`r.name_id`.as('nameId'),
      contextId: sql<number>`r.context_id`.as('contextId'),
    })
    .from(sql`(${rows}) as r`)
}

export function theseEvents(places: readonly Place[]): EventRows {
  return sql`select ${cell(0)} as name_id, ${cell(1)} as time, ${cell(2)} as telegram_id, ${cell(3)} as event_key
    from ${each(places)} as r`
}

/** Deletes these events of a person with their ids, and marks changes of all layouts. Run as one batch, in this order. */
export function eraseEvents(db: BatchDatabase, { applicationId, telegramId }: Person, rows: EventRows, now: number) {
  const kept = sql`select objects from ${layouts} where application_id = ${applicationId}
    union all select 1 where not exists (select 1 from ${layouts} where application_id = ${applicationId})`
  const hour = sql`r.time / ${sql.raw(String(MS_PER_HOUR))}`
  const spans = sql`
    select ${applicationId}, l.objects, ${telegramId} % l.objects, ${hour}, r.name_id, min(r.time), max(r.time), 1, ${now}
    from (${rows}) as r cross join (${kept}) as l
    where true
    group by l.objects, r.name_id, ${hour}`
  const { fromTime, toTime, mark } = changes
  return [
    db
      .insert(changes)
      .select(spans)
      .onConflictDoUpdate({
        target: [changes.applicationId, changes.objects, changes.part, changes.bucket, changes.nameId],
        set: {
          fromTime: sql`min(${fromTime}, excluded.from_time)`,
          toTime: sql`max(${toTime}, excluded.to_time)`,
          mark: sql`${mark} + 1`,
        },
      }),
    ...deleteEvents(db, applicationId, rows),
  ] as const
}

/** Deletes these events with their ids. Run as one batch. */
export function deleteEvents(db: Database, applicationId: number, rows: EventRows) {
  const places = sql`select r.name_id, r.time, r.telegram_id, r.event_key from (${rows}) as r`
  return [
    deleteIds(db, applicationId, rows),
    db
      .delete(events)
      .where(sql`application_id = ${applicationId} and (name_id, time, telegram_id, event_key) in (${places})`),
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

/** Of all events of an application, in order: after one place, up to and including another if there is one. */
interface Stretch {
  readonly applicationId: number
  readonly after: Place
  readonly upTo: Place | null
}

const PLACE = sql`(e.name_id, e.time, e.telegram_id, e.event_key)`

function toRow(place: Place): SQL {
  return sql`(${sql.join(
    place.map((part) => sql`${part}`),
    sql`, `,
  )})`
}

function isWithin({ applicationId, after, upTo }: Stretch): SQL {
  const end = upTo ? sql`and ${PLACE} <= ${toRow(upTo)}` : sql``
  return sql`e.application_id = ${applicationId} and ${PLACE} > ${toRow(after)} ${end}`
}

/** The place so many events further on; nothing where there are fewer. */
export function selectPlaceAfter(
  db: BatchDatabase,
  { applicationId, after, count }: { applicationId: number; after: Place; count: number },
): Promise<Place[]> {
  const rows = sql`select e.name_id, e.time, e.telegram_id, e.event_key from ${events} as e
    where ${isWithin({ applicationId, after, upTo: null })}
    order by e.name_id, e.time, e.telegram_id, e.event_key limit 1 offset ${count - 1}`
  return db.values<[number, number, number, number]>(rows)
}

/**
 * The names and contexts that say the messenger id of a person, as a number of its own, also those that no event has any more. Run
 * as one batch.
 */
export function selectSaying(db: Database, { applicationId, telegramId }: Person) {
  const pattern = `*[^0-9]${telegramId}[^0-9]*`
  const saying = (table: typeof eventNames | typeof contexts, text: SQLWrapper) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.applicationId, applicationId), sql`' ' || ${text} || ' ' glob ${pattern}`))
  return [saying(eventNames, eventNames.name), saying(contexts, contexts.fingerprint)] as const
}

export interface FoundEvent {
  readonly place: Place
  readonly contextId: number
}

/** Events of a person within a stretch up to a moment, in order. */
export async function selectEventsOf(
  db: BatchDatabase,
  { telegramId }: Person,
  { stretch, until, limit }: { stretch: Stretch; until: number; limit: number },
): Promise<FoundEvent[]> {
  const rows = await db.values<[...Place, number]>(sql`
    select e.name_id, e.time, e.telegram_id, e.event_key, e.context_id from ${events} as e
    where ${isWithin(stretch)} and e.telegram_id = ${telegramId} and e.time <= ${until}
    order by e.name_id, e.time, e.telegram_id, e.event_key limit ${limit}`)
  return rows.map(([nameId, time, user, key, contextId]) => ({ place: [nameId, time, user, key], contextId }))
}

/** Which of these contexts events of a stretch have. */
export async function selectUsedContexts(
  db: BatchDatabase,
  { stretch, contextIds }: { stretch: Stretch; contextIds: readonly number[] },
): Promise<number[]> {
  const rows = await db.values<[number]>(sql`
    select distinct e.context_id from ${events} as e
    where ${isWithin(stretch)} and e.context_id in (select value from ${each(contextIds)})`)
  return rows.map(([id]) => id)
}

const HIDDEN = 'hidden '

function areContexts(applicationId: number, ids: readonly number[]): SQL {
  return sql`${contexts.applicationId} = ${applicationId} and ${contexts.id} in (select value from ${each(ids)})`
}

/** From now on deliveries find these contexts no more: what has the same properties gets another one. */
export function hideContexts(db: Database, applicationId: number, ids: readonly number[]) {
  const isShown = sql`${contexts.fingerprint} not like ${`${HIDDEN}%`}`
  return db
    .update(contexts)
    .set({ fingerprint: sql`${HIDDEN} || ${contexts.fingerprint}` })
    .where(sql`${areContexts(applicationId, ids)} and ${isShown}`)
}

/** Takes that back, but where another context has the same properties by now: then both stay. */
export function showContexts(db: Database, applicationId: number, ids: readonly number[]) {
  const shown = sql`substr(${contexts.fingerprint}, ${HIDDEN.length + 1})`
  const isTaken = sql`exists (select 1 from ${contexts} as c where c.application_id = ${applicationId} and c.fingerprint = ${shown})`
  const isHidden = sql`${contexts.fingerprint} like ${`${HIDDEN}%`}`
  return db
    .update(contexts)
    .set({ fingerprint: shown })
    .where(sql`${areContexts(applicationId, ids)} and ${isHidden} and not ${isTaken}`)
}

/** Nothing in their place that could be somebody's. The rows stay: their ids must not be given again. */
export function emptyContexts(db: Database, applicationId: number, ids: readonly number[]) {
  return db
    .update(contexts)
    .set({ fingerprint: sql`'erased ' || ${contexts.id}`, ...NOTHING_SAID })
    .where(areContexts(applicationId, ids))
}

/** The same with those of these names that no event has. Returns them. */
export function emptyNames(db: Database, applicationId: number, ids: readonly number[]) {
  const { id } = eventNames
  const isUsed = sql`exists (select 1 from ${events} as e where e.application_id = ${applicationId} and e.name_id = ${id})`
  return db
    .update(eventNames)
    .set({ name: sql`'erased ' || ${id} || ' ' || hex(randomblob(4))` })
    .where(
      sql`${eventNames.applicationId} = ${applicationId} and ${id} in (select value from ${each(ids)}) and not ${isUsed}`,
    )
    .returning({ id })
}

/** What was put aside and may be of somebody: it has their id in it somewhere. */
export function selectLettersWith(db: Database, text: string) {
  const { id, body } = deadLetters
  return db.select({ id, body }).from(deadLetters).where(sql`instr(${body}, ${text}) > 0`)
}

export function deleteLetter(db: Database, id: number) {
  return db.delete(deadLetters).where(eq(deadLetters.id, id))
}

export function updateLetter(db: Database, id: number, body: string) {
  return db.update(deadLetters).set({ body }).where(eq(deadLetters.id, id))
}
