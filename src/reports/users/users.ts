import { toIso } from '../../time/days.ts'
import type { DatabaseReport } from '../report.ts'
import type { UserSegmentationEntry } from './contract.ts'
import type { UserQuery, UsersQuery } from './query.ts'
import { selectUser, selectUsers, type UserRow } from './sql.ts'

export const usersReport: DatabaseReport<UsersQuery, UserRow, UserSegmentationEntry[]> = {
  name: 'users',
  statement: selectUsers,
  result: (rows) => rows.map(toEntry),
}

/** Null for somebody who was never seen. */
export const userReport: DatabaseReport<UserQuery, UserRow, UserSegmentationEntry | null> = {
  name: 'user',
  statement: selectUser,
  result: ([row]) => (row ? toEntry(row) : null),
}

function toEntry(user: UserRow): UserSegmentationEntry {
  return {
    telegram_id: user.telegramId,
    language: user.language,
    utm: user.utm,
    is_premium: user.isPremium,
    first_active_at: toIso(user.firstActiveAt),
    country: user.country,
    city: user.city,
    total_events: user.totalEvents,
    total_sessions: user.totalSessions,
    username: user.username,
    firstname: user.firstname,
    lastname: user.lastname,
    last_active_at: toIso(user.lastActiveAt),
    device: user.device,
    brand: user.brand,
    model: user.model,
  }
}
