import { type ActivitySource, readPieces } from '../../accounts/applications/placement.ts'
import { propertyOf, USER_PROPERTIES } from '../../base/event.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { merge } from './merge.ts'
import { columnNameOf } from './names.ts'
import type { UserExportQuery } from './query.ts'
import { type ExportedUserRow, selectSessions, selectUsers } from './sql.ts'

/** A session's id, and a day on which it was seen, in days since 1970 UTC. */
interface UserSession {
  readonly session: string
  readonly day: number
}

/** A user as an export tells it. */
export interface ExportedUser {
  readonly telegramId: number
  readonly firstActiveAt: number
  readonly lastActiveAt: number
  readonly totalEvents: number
  readonly totalSessions: number
  readonly volume: number
  /** Latest words, and the first start parameter as `utm`, by wire name; only what was said. */
  readonly said: Readonly<Record<string, string | number | boolean>>
  /** When each was said: milliseconds since 1970 UTC times 2^20, plus what decides between two of one moment; decimal. */
  readonly stamps: Readonly<Record<string, string>>
  readonly sessions: readonly UserSession[]
}

/** How many users a read brings at most, and how many sessions. */
export const USERS_READ = { users: 1_000, sessions: 20_000 }

/** An application's users, wherever they are, in the order of their ids; each once, also while the application moves. */
export function readAllUsers(
  query: Omit<UserExportQuery, 'users'>,
  reading: ActivitySource,
  read = USERS_READ,
): AsyncGenerator<ExportedUser[]> {
  return readPieces<ExportedUser>(query.applicationId, reading, (parts, told) => {
    const after = told.at(-1)?.telegramId ?? query.after
    return merge(
      parts.map(({ db, users }) => readUsers(db, { ...query, users, after }, read)),
      (a, b) => a.telegramId - b.telegramId,
    )
  })
}

/** The users of one database in the order of their ids, up to a thousand at a time. */
export async function* readUsers(
  db: BatchDatabase,
  { applicationId, users, after }: UserExportQuery,
  read = USERS_READ,
): AsyncGenerator<ExportedUser[]> {
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

function toUser(row: ExportedUserRow, found: readonly (readonly [number, string, number])[]): ExportedUser {
  const [telegramId, firstActiveAt, lastActiveAt, totalEvents, totalSessions, volume, utm, utmStamp, ...values] = row
  const said: Record<string, string | number | boolean> = {}
  const stamps: Record<string, string> = {}
  for (const [place, name] of USER_PROPERTIES.entries()) {
    const [value, stamp] = [values[2 * place] ?? null, String(values[2 * place + 1])]
    // Stamp 0 stands for "never said".
    if (value === null || stamp === '0') continue
    const wireName = columnNameOf(name)
    said[wireName] = propertyOf(name).type === 'flag' ? value === 1 : value
    stamps[wireName] = stamp
  }
  if (utm !== null && utmStamp !== '0') [said.utm, stamps.utm] = [utm, utmStamp]
  const sessions = found.map(([, session, day]) => ({ session, day }))
  return { telegramId, firstActiveAt, lastActiveAt, totalEvents, totalSessions, volume, said, stamps, sessions }
}
