import { and, asc, count, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { UserShare } from '../../storage/activity.ts'
import type { Database } from '../../storage/database.ts'
import { isOfShare } from '../../storage/json-rows.ts'
import { users } from '../../storage/schema.ts'
import type { SortKey } from './contract.ts'
import type { UserSearch } from './search.ts'

/** A question for one page of an application's users. Filters that are undefined do not restrict it. */
export interface UserListQuery {
  readonly applicationId: number
  readonly filters: {
    readonly language?: string | undefined
    readonly utm?: string | undefined
    readonly isPremium?: boolean | undefined
    readonly country?: string | undefined
    readonly city?: string | undefined
  }
  readonly search?: UserSearch | undefined
  /** Only users with these messenger ids. */
  readonly among?: readonly number[]
  readonly sortBy: SortKey
  readonly sortOrder: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/** A question for one user of an application. */
export interface UserQuery {
  readonly applicationId: number
  readonly telegramId: number
}

/** The first and last name; empty if both are missing. */
const FULL_NAME = sql`trim(ifnull(${users.firstname}, '') || ' ' || ifnull(${users.lastname}, ''))`

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
  name: sql`lower(coalesce(nullif(${FULL_NAME}, ''), nullif(${users.username}, '')))`,
  first_active_at: users.firstActiveAt,
  last_active_at: users.lastActiveAt,
} as const satisfies Record<SortKey, unknown>

/** The fields of a user in answers, except that times are in milliseconds. */
const fields = {
  telegram_id: users.telegramId,
  language: users.language,
  utm: users.utm,
  is_premium: users.isPremium,
  first_active_at: users.firstActiveAt,
  country: users.country,
  city: users.city,
  total_events: users.totalEvents,
  total_sessions: users.totalSessions,
  username: users.username,
  firstname: users.firstname,
  lastname: users.lastname,
  last_active_at: users.lastActiveAt,
  device: users.device,
  brand: users.brand,
  model: users.model,
}

export type UserRow = Awaited<ReturnType<typeof selectUser>>[number]

/** The value by which a user is sorted, as stored. */
export type SortValue = string | number | null

function orderOf({ sortBy, sortOrder }: UserListQuery): SQL[] {
  const column = SORT_COLUMNS[sortBy]
  return [asc(isNull(column)), sortOrder === 'asc' ? asc(column) : desc(column), asc(users.telegramId)]
}

/** Selects every `every`-th of the users of a database, on all pages. */
export function selectMarks(
  db: Database,
  query: UserListQuery,
  { users: share, every }: { users: UserShare; every: number },
) {
  const number = sql<number>`row_number() over (order by ${sql.join(orderOf(query), sql`, `)})`.as('number')
  const numbered = db
    .select({
      telegram_id: users.telegramId,
      sortedBy: sql<SortValue>`${SORT_COLUMNS[query.sortBy]}`.as('sortedBy'),
      number,
    })
    .from(users)
    .where(and(...conditions(query), isOfShare(users.telegramId, share)))
    .as('numbered')
  const { telegram_id, sortedBy } = numbered
  return db.select({ telegram_id, sortedBy }).from(numbered).where(sql`${numbered.number} % ${every} = 0`)
}

/** Selects a page of the users of a database. */
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

/** Counts the users of a database on all pages. */
export function selectCount(db: Database, query: UserListQuery, share: UserShare) {
  return db
    .select({ users: count() })
    .from(users)
    .where(and(...conditions(query), isOfShare(users.telegramId, share)))
}

export function selectUser(db: Database, { applicationId, telegramId }: UserQuery) {
  return db
    .select(fields)
    .from(users)
    .where(and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)))
}

export function selectWallet(db: Database, { applicationId, telegramId }: UserQuery) {
  return db
    .select({ provider: users.provider, balance: users.currBalance, volume: users.currVolume })
    .from(users)
    .where(and(eq(users.applicationId, applicationId), eq(users.telegramId, telegramId)))
}

function conditions({ applicationId, filters, search, among }: UserListQuery): (SQL | undefined)[] {
  const { language, utm, isPremium, country, city } = filters
  const values = { language, utm, isPremium, country, city }
  const names = Object.keys(values) as (keyof typeof values)[]
  return [
    eq(users.applicationId, applicationId),
    among && sql`${users.telegramId} in (select value from json_each(${JSON.stringify(among)}))`,
    ...names.map((name) => (values[name] === undefined ? undefined : eq(users[name], values[name]))),
    search && isFound(search),
  ]
}

/** Whether a user matches. SQLite lowers A to Z only, so the other capitals that matter are replaced one by one. */
function isFound({ id, text, isUsername, capitals }: UserSearch): SQL | undefined {
  const username = sql`ifnull(${users.username}, '')`
  const searched = isUsername ? username : sql`${username} || char(10) || ${FULL_NAME}`
  const small = capitals.reduce<SQL>(
    (all, capital) => sql`replace(${all}, ${capital}, ${capital.toLowerCase()})`,
    sql`lower(${searched})`,
  )
  const contains = sql`instr(${small}, ${text}) > 0`
  return id === null ? contains : or(eq(users.telegramId, id), contains)
}
