import { toIso } from '../../time/days.ts'
import type { DatabaseReport } from '../report.ts'
import type { UserSegmentationEntry } from './contract.ts'
import type { UserQuery, UsersQuery } from './query.ts'
import { selectUser, selectUsers, selectWallet, type UserRow, type WalletRow } from './sql.ts'

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

export interface UserWallet {
  readonly provider: string | null
  /** As last reported. */
  readonly balance: number
  /** The sum of signed transactions, in nanotons. */
  readonly volume: number
}

/** What lists of users are sorted by and do not tell. Null for somebody who never connected a wallet. */
export const walletReport: DatabaseReport<UserQuery, WalletRow, UserWallet | null> = {
  name: 'wallet of a user',
  statement: selectWallet,
  result: ([row]) => (row && hasWallet(row) ? toWallet(row) : null),
}

function hasWallet({ provider, currBalance, currVolume }: WalletRow): boolean {
  return provider !== null || currBalance > 0 || currVolume > 0
}

function toWallet({ provider, currBalance, currVolume }: WalletRow): UserWallet {
  return { provider, balance: currBalance, volume: currVolume }
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
