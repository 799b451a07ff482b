import { type ActivitySource, readPieces } from '../../accounts/applications/placement.ts'
import { propertyOf, USER_PROPERTIES } from '../../base/event.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import type { StoredUser } from './contract.ts'
import { merge } from './merge.ts'
import { columnNameOf } from './names.ts'
import type { UserExportQuery } from './query.ts'
import { type ExportedUserRow, selectSessions, selectUsers } from './sql.ts'

/** The most users and sessions of one read. */
export const USERS_READ = { users: 1_000, sessions: 20_000 }

/** An application's users from all of its databases, in the order of their ids; each once, even while the application moves. */
export function readAllUsers(
  query: Omit<UserExportQuery, 'users'>,
  reading: ActivitySource,
  read = USERS_READ,
): AsyncGenerator<StoredUser[]> {
  return readPieces<StoredUser>(query.applicationId, reading, (parts, previous) => {
    const after = previous.at(-1)?.telegram_id ?? query.after
    return merge(
      parts.map(({ db, users }) => readUsers(db, { ...query, users, after }, read)),
      (a, b) => a.telegram_id - b.telegram_id,
    )
  })
}

/** The users of one database in the order of their ids, up to a thousand at a time. */
export async function* readUsers(
  db: BatchDatabase,
  { applicationId, users, after }: UserExportQuery,
  read = USERS_READ,
): AsyncGenerator<StoredUser[]> {
  for (let last = after; ; ) {
    const rows = await selectUsers(db, { applicationId, share: users, after: last, ...read })
    const [first] = rows
    if (!first) return
    last = (rows.at(-1) as ExportedUserRow)[0]
    const found = await selectSessions(db, { applicationId, from: first[0], to: last })
    const sessions = Map.groupBy(found, ([telegramId]) => telegramId)
    yield rows.map((row) => toUser(row, sessions.get(row[0]) ?? []))
  }
}

function toUser(row: ExportedUserRow, found: readonly (readonly [number, string, number])[]): StoredUser {
  const [telegramId, firstActiveAt, lastActiveAt, totalEvents, totalSessions, volume, utm, utmStamp, ...values] = row
  const said: Record<string, string | number | boolean> = {}
  const stamps: Record<string, string> = {}
  for (const [index, name] of USER_PROPERTIES.entries()) {
    const [value, stamp] = [values[2 * index] ?? null, String(values[2 * index + 1])]
    // 0: never set.
    if (value === null || stamp === '0') continue
    const wireName = columnNameOf(name)
    said[wireName] = propertyOf(name).type === 'flag' ? value === 1 : value
    stamps[wireName] = stamp
  }
  if (utm !== null && utmStamp !== '0') [said.utm, stamps.utm] = [utm, utmStamp]
  return {
    telegram_id: telegramId,
    first_active_at: toIso(firstActiveAt),
    last_active_at: toIso(lastActiveAt),
    total_events: totalEvents,
    total_sessions: totalSessions,
    curr_volume: volume,
    said,
    stamps,
    sessions: found.map(([, session, day]) => ({ session, day: toDate(day) })),
  }
}
