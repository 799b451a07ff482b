import { and, gt, isNotNull, sql } from 'drizzle-orm'
import { utcDayOf } from '../../base/time/days.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { cell, each } from '../../storage/json-rows.ts'
import { applications, eventNames, events, jobs, sessions } from '../../storage/schema.ts'
import type { EventKey, RowPage } from '../jobs/statements.ts'

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
