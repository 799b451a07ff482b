import { toIso } from '../../time/days.ts'
import type { Report } from '../report.ts'
import type { SortKey, UserSegmentationEntry } from './contract.ts'
import { selectUsers, type UserRow } from './sql.ts'

/** What is meant: one page of an application's users. Filters that are undefined do not restrict. */
export interface UsersQuery {
  readonly applicationId: number
  readonly filters: {
    readonly language?: string | undefined
    readonly utm?: string | undefined
    readonly isPremium?: boolean | undefined
    readonly country?: string | undefined
    readonly city?: string | undefined
  }
  readonly sortBy: SortKey
  readonly sortOrder: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

export const usersReport: Report<UsersQuery, UserRow, UserSegmentationEntry[]> = {
  name: 'users',
  statement: selectUsers,
  result: (rows) => rows.map(toEntry),
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
