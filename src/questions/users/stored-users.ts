import { type ActivityPart, type ActivitySource, readActivity } from '../../accounts/applications/placement.ts'
import { compareTexts } from '../../base/text/order.ts'
import { toIso } from '../../base/time/days.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import type { StoredUserEntry } from './contract.ts'
import {
  type SortValue,
  selectCount,
  selectMarks,
  selectUser,
  selectUsers,
  selectWallet,
  type UserListQuery,
  type UserQuery,
  type UserRow,
} from './sql.ts'

/** The distance between the users that are read to find a page far down a list. */
const MARKS_EVERY = 1_000

/** Reads one page of an application's users. */
export async function readUsers(
  query: UserListQuery,
  reading: ActivitySource,
  every = MARKS_EVERY,
): Promise<StoredUserEntry[]> {
  const rows = await readActivity(query.applicationId, reading, (parts) => readPage(parts, query, every))
  return rows.map(toEntry)
}

/** The number of ids that fit into one parameter of a statement. */
const IDS_AT_ONCE = 50_000
const ROWS_AT_ONCE = 1_000

interface MembersAtOnce {
  readonly idsAtOnce?: number
  readonly rowsAtOnce?: number
}

/** Reads one page of the users with these ids. If they are very many, reads the list of all users up to the page. */
export async function readMembers(
  query: UserListQuery,
  ids: readonly number[],
  reading: ActivitySource,
  { idsAtOnce = IDS_AT_ONCE, rowsAtOnce = ROWS_AT_ONCE }: MembersAtOnce = {},
): Promise<StoredUserEntry[]> {
  if (ids.length <= idsAtOnce) return readUsers({ ...query, among: ids }, reading)
  const isMember = new Set(ids)
  const end = query.offset + query.limit
  const found: StoredUserEntry[] = []
  for (let offset = 0; found.length < end; offset += rowsAtOnce) {
    const page = await readUsers({ ...query, limit: rowsAtOnce, offset }, reading)
    found.push(...page.filter(({ telegram_id: id }) => isMember.has(id)))
    if (page.length < rowsAtOnce) break
  }
  return found.slice(query.offset, end)
}

/** Counts the users of a list on all pages: those with these ids, or all if null. */
export async function countUsers(
  query: UserListQuery,
  ids: readonly number[] | null,
  reading: ActivitySource,
  { idsAtOnce = IDS_AT_ONCE }: MembersAtOnce = {},
): Promise<number> {
  if (ids === null) return readActivity(query.applicationId, reading, (parts) => countIn(parts, query))
  let users = 0
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    users += await countUsers({ ...query, among: ids.slice(from, from + idsAtOnce) }, null, reading)
  }
  return users
}

async function countIn(parts: readonly ActivityPart[], query: UserListQuery): Promise<number> {
  const counts = await Promise.all(parts.map(({ db, users }) => selectCount(db, query, users)))
  return counts.flat().reduce((sum, { users }) => sum + users, 0)
}

/** Reads a page. All its users may be in one database, so each database is asked for a whole page. */
async function readPage(parts: readonly ActivityPart[], query: UserListQuery, every: number): Promise<UserRow[]> {
  const [only, ...others] = parts
  if (only && others.length === 0) return selectUsers(only.db, query, only.users)
  const { limit, offset } = query
  const isFar = offset > every * parts.length
  const marks = isFar ? parts.map(({ db, users }) => selectMarks(db, query, { users, every })) : []
  const skipped = skippedOf(await Promise.all(marks), query, every)
  const rest = offset - skipped.reduce((sum, rows) => sum + rows, 0)
  const pages = parts.map(({ db, users }, part) =>
    selectUsers(db, { ...query, limit: rest + limit, offset: skipped[part] ?? 0 }, users),
  )
  return (await Promise.all(pages))
    .flat()
    .sort(orderOf(query))
    .slice(rest, rest + limit)
}

/**
 * The number of rows of each database that certainly precede the page. Up to a mark, every other database has fewer
 * than `every` rows beyond its own last mark before it.
 */
function skippedOf(marks: readonly (readonly Sorted[])[], query: UserListQuery, every: number): number[] {
  const skipped = marks.map(() => 0)
  const order = orderOf(query)
  const all = marks.flatMap((own, part) => own.map((mark) => ({ ...mark, part }))).sort(order)
  let before = (marks.length - 1) * (every - 1)
  for (const { part } of all) {
    before += every
    if (before > query.offset) break
    skipped[part] = (skipped[part] ?? 0) + every
  }
  return skipped
}

interface Sorted {
  readonly telegram_id: number
  readonly sortedBy: SortValue
}

/** The order in which databases sort. */
function orderOf({ sortOrder }: UserListQuery): (a: Sorted, b: Sorted) => number {
  const sign = sortOrder === 'asc' ? 1 : -1
  return (a, b) => {
    if (a.sortedBy === null || b.sortedBy === null) {
      return Number(a.sortedBy === null) - Number(b.sortedBy === null) || a.telegram_id - b.telegram_id
    }
    return sign * compareValues(a.sortedBy, b.sortedBy) || a.telegram_id - b.telegram_id
  }
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' || typeof b === 'number' ? Number(a) - Number(b) : compareTexts(a, b)
}

/** Reads one user; null if the user was never seen. */
export async function readUser(query: UserQuery, reading: ActivitySource): Promise<StoredUserEntry | null> {
  const [row] = await readOfUser(query, reading, (db) => selectUser(db, query))
  return row ? toEntry(row) : null
}

function readOfUser<Row>(
  { applicationId, telegramId }: UserQuery,
  reading: ActivitySource,
  select: (db: BatchDatabase) => PromiseLike<Row[]>,
): Promise<Row[]> {
  return readActivity(applicationId, reading, async (parts) => {
    const own = parts.find(({ has }) => has(telegramId))
    return own ? await select(own.db) : []
  })
}

export interface UserWallet {
  readonly provider: string | null
  /** The balance as last reported. */
  readonly balance: number
  /** The sum of signed transactions, in nanotons. */
  readonly volume: number
}

/** Reads a wallet: lists can be sorted by it but do not contain it. Null if the user never connected one. */
export async function readWallet(query: UserQuery, reading: ActivitySource): Promise<UserWallet | null> {
  const [row] = await readOfUser(query, reading, (db) => selectWallet(db, query))
  const hasWallet = row && (row.provider !== null || row.balance > 0 || row.volume > 0)
  return hasWallet ? row : null
}

function toEntry(row: UserRow & { readonly sortedBy?: SortValue }): StoredUserEntry {
  const { sortedBy: _, ...user } = row
  return { ...user, first_active_at: toIso(user.first_active_at), last_active_at: toIso(user.last_active_at) }
}
