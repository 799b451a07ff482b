import { sql } from 'drizzle-orm'
import { CONTEXT_PROPERTIES, USER_PROPERTIES } from '../../base/event.ts'
import { utcDayOf } from '../../base/time/days.ts'
import type { UserShare } from '../../storage/activity.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { columnOf, each, isOfShare } from '../../storage/json-rows.ts'
import { contexts, eventNames, events, sessions, users } from '../../storage/schema.ts'
import { idsOfKeys } from '../jobs/statements.ts'
import type { EventExportQuery, ExportPosition } from './query.ts'

/** An event as it is stored, with its name and its id, and how many the read found before it was truncated. */
export type ExportedEventRow = [
  nameId: number,
  time: number,
  telegramId: number,
  key: number,
  contextId: number,
  params: string | null,
  name: string,
  eventId: string | null,
  found: number,
]

interface EventsRead extends Pick<EventExportQuery, 'applicationId' | 'users'> {
  readonly after: ExportPosition
  /** Milliseconds since 1970 UTC, exclusive. */
  readonly before: number
  readonly events: number
  /** The characters of parameters. The event that exceeds them is the last one. */
  readonly characters: number
}

/** The events of all names in a time range, in the order of exports. */
export function selectEvents(
  db: BatchDatabase,
  { applicationId, users: share, after, before, events: most, characters }: EventsRead,
) {
  return db.values<ExportedEventRow>(sql`
    select name_id, time, telegram_id, event_key, context_id, params, name,
      (select id from (${idsOfKeys(applicationId, sql`select event_key`)}) limit 1), found
    from (
      select *, count(*) over () as found,
        sum(length(params)) over (rows between unbounded preceding and 1 preceding) as characters
      from (
        select n.name, e.name_id, e.time, e.telegram_id, e.event_key, e.context_id, e.params
        from ${eventNames} as n
        cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = n.id
          and e.time >= ${after.time} and e.time < ${before}
        where n.application_id = ${applicationId}
          and (e.time, e.telegram_id, e.event_key, e.name_id) > (${after.time}, ${after.telegramId}, ${after.key}, ${after.nameId})
          and ${isOfShare(sql`e.telegram_id`, share)}
        order by e.time, e.telegram_id, e.event_key, e.name_id
        limit ${most}
      )
    ) where ifnull(characters, 0) <= ${characters}
    order by time, telegram_id, event_key, name_id`)
}

/** The time of the first event from a time on; null if there is none. */
export function selectNextTime(db: BatchDatabase, applicationId: number, from: number) {
  return db.values<[number | null]>(sql`
    select min((
      select e.time from ${events} as e
      where e.application_id = ${applicationId} and e.name_id = n.id and e.time >= ${from}
      order by e.time limit 1
    )) from ${eventNames} as n where n.application_id = ${applicationId}`)
}

export function selectContexts(db: BatchDatabase, ids: readonly number[]) {
  const properties = sql.join(
    CONTEXT_PROPERTIES.map((name) => sql`c.${columnOf(contexts, name)}`),
    sql`, `,
  )
  return db.values<[id: number, ...properties: (string | number | null)[]]>(sql`
    select c.id, ${properties} from ${each(ids)} as r cross join ${contexts} as c on c.id = r.value`)
}

interface DaysRead {
  readonly applicationId: number
  readonly telegramIds: readonly number[]
  /** Milliseconds since 1970 UTC, both inclusive. */
  readonly from: number
  readonly to: number
}

/** The UTC days on which these users had exactly one session. */
export function selectOnlySessions(db: BatchDatabase, { applicationId, telegramIds, from, to }: DaysRead) {
  return db.values<[telegramId: number, day: number, session: string]>(sql`
    select s.telegram_id, s.day, min(s.session)
    from ${each(telegramIds)} as r
    cross join ${sessions} as s on s.application_id = ${applicationId} and s.telegram_id = r.value
    where s.day between ${utcDayOf(from)} and ${utcDayOf(to)}
    group by 1, 2 having count(*) = 1`)
}

/** A user as stored: totals and times, then each property with its version, as text because it exceeds JavaScript's safe integers. */
export type ExportedUserRow = [
  telegramId: number,
  firstActiveAt: number,
  lastActiveAt: number,
  totalEvents: number,
  totalSessions: number,
  volume: number,
  utm: string | null,
  utmStamp: string,
  ...properties: (string | number | null)[],
]

interface UsersRead {
  readonly applicationId: number
  readonly share: UserShare
  readonly after: number
  readonly users: number
  /** The user that exceeds it is the last one. */
  readonly sessions: number
}

export function selectUsers(
  db: BatchDatabase,
  { applicationId, share, after, users: most, sessions: room }: UsersRead,
) {
  const properties = sql.join(
    USER_PROPERTIES.map((name) => sql`${columnOf(users, name)}, cast(${columnOf(users, `${name}Stamp`)} as text)`),
    sql`, `,
  )
  return db.values<ExportedUserRow>(sql`
    select telegram_id, first_active_at, last_active_at, total_events, total_sessions, curr_volume, utm,
      cast(utm_stamp as text), ${properties}
    from (
      select *, sum(total_sessions) over (rows between unbounded preceding and 1 preceding) as before
      from (
        select * from ${users} where application_id = ${applicationId} and telegram_id > ${after} and ${isOfShare(sql`telegram_id`, share)}
        order by telegram_id limit ${most}
      )
    ) where ifnull(before, 0) <= ${room}
    order by telegram_id`)
}

/** The sessions of users from one id to another, both inclusive. */
export function selectSessions(db: BatchDatabase, { applicationId, from, to }: Omit<DaysRead, 'telegramIds'>) {
  return db.values<[telegramId: number, session: string, day: number]>(sql`
    select telegram_id, session, day from ${sessions}
    where application_id = ${applicationId} and telegram_id between ${from} and ${to}
    order by telegram_id, session, day`)
}
