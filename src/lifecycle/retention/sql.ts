import { and, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import { utcDayOf } from '../../base/time/days.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { applications, contexts, eventNames, events, jobs, sessions, users } from '../../storage/schema.ts'
import type { EventKey, EventRows, RowPage } from '../jobs/statements.ts'

/** Applications with a retention period, in the order of their ids, after this one. */
export function selectKeeping(db: Database, { after, limit }: { after: number; limit: number }) {
  const { id, keepMonths, keptFrom, timeZone } = applications
  const months = sql<number>`${keepMonths}`
  return db
    .select({ id, keepMonths: months, keptFrom, timeZone })
    .from(applications)
    .where(and(isNotNull(keepMonths), gt(id, after)))
    .orderBy(id)
    .limit(limit)
}

/** An application, its retention in months, its new first kept day, and the zone whose day it is. */
export type KeptFrom = readonly [id: number, keepMonths: number, keptFrom: number, timeZone: string]

/** Skips applications whose number of months or time zone has changed and those with a job that still deletes. Returns the others. */
export function raiseKeptFrom(db: Database, due: readonly KeptFrom[]) {
  const { id, keepMonths, keptFrom, timeZone } = applications
  const deleting = sql`select 1 from ${jobs} where ${jobs.applicationId} = ${id} and ${jobs.kind} = 'retain'`
  return db
    .update(applications)
    .set({ keptFrom: cell(2) })
    .from(sql`${each(due)} as r`)
    .where(
      and(
        sql`${id} = ${cell(0)} and ${keepMonths} = ${cell(1)} and coalesce(${keptFrom}, -1) < ${cell(2)}`,
        sql`${timeZone} = ${cell(3)}`,
        sql`not exists (${deleting})`,
      ),
    )
    .returning({ id })
}

/** What an application deletes: everything before a moment, in milliseconds since 1970 UTC. */
interface Old {
  readonly applicationId: number
  readonly before: number
}

/** Keys of old events, at most `limit`. */
export function selectOldEvents(
  db: BatchDatabase,
  { applicationId, before, limit }: Old & { limit: number },
): Promise<EventKey[]> {
  return db.values<[number, number, number, number]>(sql`
    select e.name_id, e.time, e.telegram_id, e.event_key from ${eventNames} as n
    cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = n.id and e.time < ${before}
    where n.application_id = ${applicationId} limit ${limit}`)
}

/**
 * Notes, with each user of these events, which of them is the first and which the first with a start parameter, unless an earlier
 * one is noted. Run in the batch that deletes the events: at any moment what is noted and what is stored together say the same.
 */
export function rememberFirsts(db: Database, applicationId: number, rows: EventRows) {
  const firsts = firstOfEachUser(applicationId, rows, sql`true`)
  const starts = firstOfEachUser(applicationId, rows, sql`c.start_parameter is not null`)
  const { firstTime, firstKey, startTime, startKey } = users
  return [
    db
      .update(users)
      .set({ firstTime: sql`f.time`, firstKey: sql`f.event_key`, firstContextId: sql`f.context_id` })
      .from(firsts)
      .where(isEarlier(applicationId, sql`${firstTime}`, sql`${firstKey}`)),
    db
      .update(users)
      .set({ startTime: sql`f.time`, startKey: sql`f.event_key`, startContextId: sql`f.context_id` })
      .from(starts)
      .where(isEarlier(applicationId, sql`${startTime}`, sql`${startKey}`)),
  ] as const
}

function firstOfEachUser(applicationId: number, rows: EventRows, where: SQL): SQL {
  return sql`(
    select telegram_id, time, event_key, context_id from (
      select e.telegram_id, e.time, e.event_key, e.context_id,
        row_number() over (partition by e.telegram_id order by e.time, e.event_key) as number
      from (${rows}) as r
      cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = r.name_id and e.time = r.time
        and e.telegram_id = r.telegram_id and e.event_key = r.event_key
      cross join ${contexts} as c on c.id = e.context_id
      where ${where}
    ) where number = 1
  ) as f`
}

/** Whether the event `f` of a user is earlier than the one that is noted, or none is. */
function isEarlier(applicationId: number, time: SQL, key: SQL): SQL {
  return sql`${users.applicationId} = ${applicationId} and ${users.telegramId} = f.telegram_id
    and (${time} is null or (f.time, f.event_key) < (${time}, ${key}))`
}

/** The user of the session `count` rows after a user, in the order of users; null if there are fewer. */
export async function selectUserAfter(
  db: BatchDatabase,
  { applicationId, after, count }: { applicationId: number; after: number; count: number },
): Promise<number | null> {
  const rows = await db.values<[number]>(sql`
    select telegram_id from ${sessions} where application_id = ${applicationId} and telegram_id > ${after}
    order by telegram_id limit 1 offset ${count - 1}`)
  return rows[0]?.[0] ?? null
}

interface OldSessions extends Old {
  /** Messenger ids: the first exclusive, the last inclusive; null: all others. */
  readonly after: number
  readonly upTo: number | null
  readonly limit: number
}

/** Old sessions, at most `limit`: they are stored by UTC days, and one that the moment lies in is not old. */
export function oldSessions({ applicationId, before, after, upTo, limit }: OldSessions): RowPage {
  const end = upTo === null ? sql`` : sql`and t.telegram_id <= ${upTo}`
  const where = sql`t.telegram_id > ${after} ${end} and t.day < ${utcDayOf(before)}`
  return { table: sessions, applicationId, where, limit }
}
