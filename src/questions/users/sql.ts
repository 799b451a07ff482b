import { and, asc, desc, eq, type InferSelectModel, isNull, type SQL, sql } from 'drizzle-orm'
import type { UserShare } from '../../storage/activity.ts'
import type { Database } from '../../storage/database.ts'
import { isOfShare } from '../../storage/json-rows.ts'
import { users } from '../../storage/schema.ts'
import type { SortKey } from './contract.ts'

/** One page of an application's users. Filters that are undefined do not restrict. */
export interface UserListQuery {
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

/** One user of an application. */
export interface UserQuery {
  readonly applicationId: number
  readonly telegramId: number
}

const SORT_COLUMNS = {
  is_premium: users.isPremium,
  curr_balance: users.currBalance,
  curr_volume: users.currVolume,
  total_events: users.totalEvents,
  total_sessions: users.totalSessions,
  language: users.language,
  country: users.country,
  city: users.city,
  provider: users.provider,
} as const satisfies Record<SortKey, unknown>

const fields = {
  telegramId: users.telegramId,
  language: users.language,
  utm: users.utm,
  isPremium: users.isPremium,
  firstActiveAt: users.firstActiveAt,
  country: users.country,
  city: users.city,
  totalEvents: users.totalEvents,
  totalSessions: users.totalSessions,
  username: users.username,
  firstname: users.firstname,
  lastname: users.lastname,
  lastActiveAt: users.lastActiveAt,
  device: users.device,
  brand: users.brand,
  model: users.model,
}

export type UserListRow = Pick<InferSelectModel<typeof users>, keyof typeof fields>

/** What a user is sorted by, as it is stored. */
export type SortValue = string | number | null

function orderOf({ sortBy, sortOrder }: UserListQuery): SQL[] {
  const column = SORT_COLUMNS[sortBy]
  return [asc(isNull(column)), sortOrder === 'asc' ? asc(column) : desc(column), asc(users.telegramId)]
}

/** Of all pages, every so many-th of the users whom a database has. */
export function selectMarks(
  db: Database,
  query: UserListQuery,
  { users: share, every }: { users: UserShare; every: number },
) {
  const place = sql<number>`row_number() over (order by ${sql.join(orderOf(query), sql`, `)})`.as('place')
  const numbered = db
    .select({
      telegramId: users.telegramId,
      sortedBy: sql<SortValue>`${SORT_COLUMNS[query.sortBy]}`.as('sortedBy'),
      place,
    })
    .from(users)
    .where(and(...conditions(query), isOfShare(users.telegramId, share)))
    .as('numbered')
  const { telegramId, sortedBy } = numbered
  return db.select({ telegramId, sortedBy }).from(numbered).where(sql`${numbered.place} % ${every} = 0`)
}

/** Of the users whom a database has. */
export function selectUsers(db: Database, query: UserListQuery, share: UserShare) {
  const { sortBy, limit, offset } = query
  const column = SORT_COLUMNS[sortBy]
  const order = orderOf(query)
  const where = and(...conditions(query), isOfShare(users.telegramId, share))
  return db
    .select({ ...fields, sortedBy: sql<SortValue>`${column}`.as('sortedBy') })
    .from(users)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
}

export function selectUser(db: Database, { applicationId, telegramId }: UserQuery) {
  return db
    .select(fields)
    .from(users)
    .where(and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)))
}

const walletFields = { provider: users.provider, currBalance: users.currBalance, currVolume: users.currVolume }

export type WalletRow = Pick<InferSelectModel<typeof users>, keyof typeof walletFields>

export function selectWallet(db: Database, { applicationId, telegramId }: UserQuery) {
  return db
    .select(walletFields)
    .from(users)
    .where(and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)))
}

function conditions({ applicationId, filters }: UserListQuery): (SQL | undefined)[] {
  const { language, utm, isPremium, country, city } = filters
  return [
    eq(users.applicationId, applicationId),
    language === undefined ? undefined : eq(users.language, language),
    utm === undefined ? undefined : eq(users.utm, utm),
    isPremium === undefined ? undefined : eq(users.isPremium, isPremium),
    country === undefined ? undefined : eq(users.country, country),
    city === undefined ? undefined : eq(users.city, city),
  ]
}
