import { and, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { EMPTY_CONTEXT_CELLS } from '../../base/event.ts'
import { globOfId } from '../../base/text/messenger-ids.ts'
import { MS_PER_HOUR } from '../../base/time/days.ts'
import { addChanges } from '../../storage/changes.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { countIn, each } from '../../storage/json-rows.ts'
import {
  applications,
  contexts,
  deadLetters,
  deliveries,
  eventNames,
  events,
  sessions,
  subscriptions,
  users,
} from '../../storage/schema.ts'
import { erasedText } from '../../storage/texts.ts'
import { deleteEvents, type EventKey, type EventRows, partitioningsOf } from '../jobs/statements.ts'

/** A person within an application, by messenger id. */
export interface ErasedPerson {
  readonly applicationId: number
  readonly telegramId: number
}

function isUser({ applicationId, telegramId }: ErasedPerson): SQL {
  return and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)) as SQL
}

export function countOfUser(db: Database, person: ErasedPerson) {
  const { totalEvents, totalSessions, firstActiveAt } = users
  return db.select({ events: totalEvents, sessions: totalSessions, firstActiveAt }).from(users).where(isUser(person))
}

export function deleteUser(db: Database, person: ErasedPerson) {
  return db.delete(users).where(isUser(person))
}

export function deleteSessions(db: Database, { applicationId, telegramId }: ErasedPerson) {
  return db.delete(sessions).where(and(eq(sessions.applicationId, applicationId), eq(sessions.telegramId, telegramId)))
}

/** A person's events after a time (milliseconds since 1970 UTC). */
export function eventsAfter({ applicationId, telegramId }: ErasedPerson, time: number): EventRows {
  return sql`select e.name_id, e.time, e.telegram_id, e.event_key, e.context_id from ${eventNames} as n
    cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = n.id and e.time > ${time}
    where n.application_id = ${applicationId} and e.telegram_id = ${telegramId}`
}

export function selectUsedBy(db: BatchDatabase, rows: EventRows) {
  return db
    .selectDistinct({
      nameId: sql<number>`r.name_id`.as('nameId'),
      contextId: sql<number>`r.context_id`.as('contextId'),
    })
    .from(sql`(${rows}) as r`)
}

/** The contexts of a person's first events that are no longer stored. */
export function selectRememberedOf(db: Database, person: ErasedPerson) {
  const { firstContextId, startContextId } = users
  return db.select({ firstContextId, startContextId }).from(users).where(isUser(person))
}

/** Deletes these events of a person with their ids, and marks changes for all partitionings. Run as one batch, in this order. */
export function eraseEvents(
  db: BatchDatabase,
  { applicationId, telegramId }: ErasedPerson,
  rows: EventRows,
  now: number,
) {
  const hour = sql`r.time / ${sql.raw(String(MS_PER_HOUR))}`
  const changed = sql`
    select ${applicationId}, l.objects, ${telegramId} % ${countIn(sql`l.objects`)}, ${hour}, r.name_id, min(r.time), max(r.time), 1, ${now}, null
    from (${rows}) as r cross join (${partitioningsOf(applicationId)}) as l
    where true
    group by l.objects, r.name_id, ${hour}`
  return [addChanges(db, changed), ...deleteEvents(db, applicationId, rows)] as const
}

/** Events of an application after one key, up to and including another if there is one, in their order. */
interface KeyRange {
  readonly applicationId: number
  readonly after: EventKey
  readonly upTo: EventKey | null
}

const CURSOR = sql`(e.name_id, e.time, e.telegram_id, e.event_key)`

function toRow(cursor: EventKey): SQL {
  return sql`(${sql.join(
    cursor.map((value) => sql`${value}`),
    sql`, `,
  )})`
}

function isWithin({ applicationId, after, upTo }: KeyRange): SQL {
  const end = upTo ? sql`and ${CURSOR} <= ${toRow(upTo)}` : sql``
  return sql`e.application_id = ${applicationId} and ${CURSOR} > ${toRow(after)} ${end}`
}

/** The key `count` events after another; nothing if there are fewer. */
export function selectCursorAfter(
  db: BatchDatabase,
  { applicationId, after, count }: { applicationId: number; after: EventKey; count: number },
): Promise<EventKey[]> {
  const rows = sql`select e.name_id, e.time, e.telegram_id, e.event_key from ${events} as e
    where ${isWithin({ applicationId, after, upTo: null })}
    order by e.name_id, e.time, e.telegram_id, e.event_key limit 1 offset ${count - 1}`
  return db.values<[number, number, number, number]>(rows)
}

/** The names and contexts that contain a person's messenger id as a number of its own, with or without events. Run as one batch. */
export function selectMentioning(db: Database, { applicationId, telegramId }: ErasedPerson) {
  const pattern = globOfId(telegramId)
  const mentioning = (table: typeof eventNames | typeof contexts, text: SQLWrapper) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.applicationId, applicationId), sql`' ' || ${text} || ' ' glob ${pattern}`))
  return [mentioning(eventNames, eventNames.name), mentioning(contexts, contexts.fingerprint)] as const
}

/** Events of a person within a key range up to a time, in their order. */
export async function selectEventsOf(
  db: BatchDatabase,
  { telegramId }: ErasedPerson,
  { range, until, limit }: { range: KeyRange; until: number; limit: number },
): Promise<{ readonly key: EventKey; readonly contextId: number }[]> {
  const rows = await db.values<[...EventKey, number]>(sql`
    select e.name_id, e.time, e.telegram_id, e.event_key, e.context_id from ${events} as e
    where ${isWithin(range)} and e.telegram_id = ${telegramId} and e.time <= ${until}
    order by e.name_id, e.time, e.telegram_id, e.event_key limit ${limit}`)
  return rows.map(([nameId, time, user, key, contextId]) => ({ key: [nameId, time, user, key], contextId }))
}

/** Selects which of these contexts belong to events of a key range, or to first events that are no longer stored. */
export async function selectUsedContexts(
  db: BatchDatabase,
  { range, contextIds }: { range: KeyRange; contextIds: readonly number[] },
): Promise<number[]> {
  const rows = await db.values<[number]>(sql`
    select distinct e.context_id from ${events} as e
    where ${isWithin(range)} and e.context_id in (select value from ${each(contextIds)})
    union
    select r.value from ${each(contextIds)} as r where exists (
        select 1 from ${users} where application_id = ${range.applicationId} and first_context_id = r.value)
      or exists (
        select 1 from ${users} where application_id = ${range.applicationId} and start_context_id = r.value)`)
  return rows.map(([id]) => id)
}

const HIDDEN = 'hidden '

function areContexts(applicationId: number, ids: readonly number[]): SQL {
  return sql`${contexts.applicationId} = ${applicationId} and ${contexts.id} in (select value from ${each(ids)})`
}

/** Hides contexts from deliveries: events with the same properties get another one. */
export function hideContexts(db: Database, applicationId: number, ids: readonly number[]) {
  const isShown = sql`${contexts.fingerprint} not like ${`${HIDDEN}%`}`
  return db
    .update(contexts)
    .set({ fingerprint: sql`${HIDDEN} || ${contexts.fingerprint}` })
    .where(sql`${areContexts(applicationId, ids)} and ${isShown}`)
}

/** Reverts `hideContexts`, unless another context has the same properties by now: then both stay. */
export function showContexts(db: Database, applicationId: number, ids: readonly number[]) {
  const shown = sql`substr(${contexts.fingerprint}, ${HIDDEN.length + 1})`
  const isTaken = sql`exists (select 1 from ${contexts} as c where c.application_id = ${applicationId} and c.fingerprint = ${shown})`
  const isHidden = sql`${contexts.fingerprint} like ${`${HIDDEN}%`}`
  return db
    .update(contexts)
    .set({ fingerprint: shown })
    .where(sql`${areContexts(applicationId, ids)} and ${isHidden} and not ${isTaken}`)
}

/** Empties contexts. The rows stay, so that their ids are not given again. */
export function emptyContexts(db: Database, applicationId: number, ids: readonly number[]) {
  return db
    .update(contexts)
    .set({ fingerprint: erasedText(contexts.id), ...EMPTY_CONTEXT_CELLS })
    .where(areContexts(applicationId, ids))
}

/** Empties the names that no event has; returns them. */
export function emptyNames(db: Database, applicationId: number, ids: readonly number[]) {
  const { id } = eventNames
  const isUsed = sql`exists (select 1 from ${events} as e where e.application_id = ${applicationId} and e.name_id = ${id})`
  return db
    .update(eventNames)
    .set({ name: sql`${erasedText(id)} || ' ' || hex(randomblob(4))` })
    .where(
      sql`${eventNames.applicationId} = ${applicationId} and ${id} in (select value from ${each(ids)}) and not ${isUsed}`,
    )
    .returning({ id })
}

/** Dead letters that contain a text, such as a messenger id. */
export function selectDeadLettersWith(db: Database, text: string) {
  const { id, body } = deadLetters
  return db.select({ id, body }).from(deadLetters).where(sql`instr(${body}, ${text}) > 0`)
}

type StoredDeadLetter = Awaited<ReturnType<typeof selectDeadLettersWith>>[number]

/** Whether a dead letter is unchanged: another person may have been erased from it meanwhile. */
function isDeadLetter({ id, body }: StoredDeadLetter) {
  return and(eq(deadLetters.id, id), eq(deadLetters.body, body))
}

export function deleteDeadLetter(db: Database, deadLetter: StoredDeadLetter) {
  return db.delete(deadLetters).where(isDeadLetter(deadLetter)).returning({ id: deadLetters.id })
}

export function updateDeadLetter(db: Database, deadLetter: StoredDeadLetter, body: string) {
  return db.update(deadLetters).set({ body }).where(isDeadLetter(deadLetter)).returning({ id: deadLetters.id })
}

export function selectSources(db: Database, id: number) {
  return db.select({ sources: applications.sources }).from(applications).where(eq(applications.id, id))
}

/** Deletes the digests and alerts that contain a person's messenger id as a number of its own, and the messages that do. Run as one batch. */
export function deleteNotificationsAbout(db: Database, { applicationId, telegramId }: ErasedPerson) {
  const pattern = globOfId(telegramId)
  const { id, name, rule } = subscriptions
  const ofIt = eq(subscriptions.applicationId, applicationId)
  const told = ['question', 'questions', 'event'].map((field) => sql`coalesce(${rule} ->> ${`$.${field}`}, '')`)
  const texts = sql.join([sql`' '`, name, ...told, sql`' '`], sql` || ' ' || `)
  const isAbout = and(ofIt, sql`${texts} glob ${pattern}`)
  const ids = (those: SQL | undefined) => db.select({ id }).from(subscriptions).where(those)
  const isMentioning = sql`' ' || ${deliveries.content} || ' ' glob ${pattern}`
  return [
    db.delete(deliveries).where(and(inArray(deliveries.subscriptionId, ids(ofIt)), isMentioning)),
    db.delete(deliveries).where(inArray(deliveries.subscriptionId, ids(isAbout))),
    db.delete(subscriptions).where(isAbout),
  ] as const
}
