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

function toEntry({ telegramId, isPremium, firstActiveAt, lastActiveAt, totalEvents, totalSessions, ...rest }: UserRow) {
  return {
    telegram_id: telegramId,
    is_premium: isPremium,
    first_active_at: toIso(firstActiveAt),
    last_active_at: toIso(lastActiveAt),
    total_events: totalEvents,
    total_sessions: totalSessions,
    ...rest,
  }
}
