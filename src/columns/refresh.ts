import type { BatchDatabase } from '../storage/database.ts'
import type { ObjectKey } from '../storage/object-name.ts'
import type { Activity, KnownMarks, RangeContents } from './activity.ts'
import { type Chunk, compare, type EventCursor, endOf, FIRST, type KeyRange, LAST } from './chunk.ts'
import type { Span } from './columns.ts'
import { toParamColumns } from './param-columns.ts'
import type { RememberedRows } from './remembered.ts'
import { readRememberedRows } from './remembered-rows.ts'
import {
  countEvents,
  countKnown,
  type DayCount,
  type ReadLimit,
  type StoredEventRow,
  selectAfter,
  selectContexts,
  selectContextsSaying,
  selectKnownBefore,
  selectNames,
  selectRanges,
  selectRemembering,
} from './sql.ts'

export interface Refreshing {
  readonly db: BatchDatabase
  readonly key: ObjectKey
  readonly activity: Activity
  /** Runs work while no question is being answered. */
  readonly exclusively: <T>(work: () => T) => Promise<T>
}

/** The most that one read returns: an event's parameters may have 16 KB, and are in memory several times. */
const READ: ReadLimit = { events: 2_000, characters: 4_000_000 }
/** Key ranges that one read asks for. */
const RANGES_A_READ = 1_000

/** A time span of one name; both ends are inclusive. */
export interface TimeSpan {
  readonly nameId: number
  readonly fromTime: number
  readonly toTime: number
}

/** Replaces what is known of these spans with what the database has in them. */
export async function refreshSpans(spans: readonly TimeSpan[], refreshing: Refreshing): Promise<void> {
  let waiting = withoutOverlaps(spans).map(toKeyRange)
  while (waiting.length > 0) {
    const asked = waiting.slice(0, RANGES_A_READ)
    const rows = await selectRanges(refreshing.db, refreshing.key, { ranges: asked, limit: READ })
    const last = endOfRead(rows)
    await replace(distribute(rows, asked, last), refreshing)
    waiting = [...unread(asked, last), ...waiting.slice(asked.length)]
  }
}

/** Where the next read continues; null at the end. */
function endOfRead(rows: readonly StoredEventRow[]): EventCursor | null {
  const isFull = rows.length === READ.events || weightOf(rows) > READ.characters
  return isFull ? cursorOf(rows.at(-1) as StoredEventRow) : null
}

/** Sorted by name and time, with overlapping spans merged. */
function withoutOverlaps(spans: readonly TimeSpan[]): TimeSpan[] {
  const result: TimeSpan[] = []
  for (const span of spans.toSorted((a, b) => a.nameId - b.nameId || a.fromTime - b.fromTime)) {
    const last = result.at(-1)
    if (last?.nameId !== span.nameId || last.toTime < span.fromTime) result.push(span)
    else result[result.length - 1] = { ...last, toTime: Math.max(last.toTime, span.toTime) }
  }
  return result
}

function toKeyRange({ nameId, fromTime, toTime }: TimeSpan): KeyRange {
  return { after: { nameId, ...endOf(fromTime - 1) }, upTo: { nameId, ...endOf(toTime) } }
}

/** A key range of one or more names, with its events in order. */
interface ReadRange extends KeyRange {
  readonly rows: readonly StoredEventRow[]
}

/** The events of each range. The range in which the read ended is cut at `last`; those after it were not read. */
function distribute(
  rows: readonly StoredEventRow[],
  asked: readonly KeyRange[],
  last: EventCursor | null,
): ReadRange[] {
  const result: ReadRange[] = []
  let next = 0
  for (const { after, upTo } of asked) {
    const isCut = last !== null && compareCursors(last, upTo) <= 0
    const from = next
    while (next < rows.length && compareCursors(cursorOf(rows[next] as StoredEventRow), upTo) <= 0) next += 1
    result.push({ after, upTo: isCut ? last : upTo, rows: rows.slice(from, next) })
    if (isCut) break
  }
  return result
}

/** What remains of these ranges after a read up to `last`. */
function unread(asked: readonly KeyRange[], last: EventCursor | null): KeyRange[] {
  if (!last) return []
  const first = asked.findIndex(({ upTo }) => compareCursors(last, upTo) <= 0)
  return asked.slice(first).map((range, index) => (index === 0 ? { ...range, after: last } : range))
}

/** Before the events of all names. */
export const START: EventCursor = { nameId: 0, ...FIRST }
const END: EventCursor = { nameId: Number.MAX_SAFE_INTEGER, ...LAST }

/** One step of a full pass: replaces what is known after a cursor with what the database has. Returns the next cursor; null at the end. */
export async function refreshAfter(after: EventCursor, refreshing: Refreshing): Promise<EventCursor | null> {
  const { db, key } = refreshing
  const rows: StoredEventRow[] = []
  let last: EventCursor | null = after
  while (last && rows.length < STEP_EVENTS && weightOf(rows) < STEP_CHARACTERS) {
    const read: StoredEventRow[] = await selectAfter(db, key, { after: last, limit: READ })
    rows.push(...read)
    last = endOfRead(read)
  }
  await replace([{ after, upTo: last ?? END, rows }], refreshing, true)
  return last
}

/** What one step writes: segments are not rewritten for a few events. */
const STEP_EVENTS = 16_000
const STEP_CHARACTERS = 8_000_000

function weightOf(rows: readonly StoredEventRow[]): number {
  return rows.reduce((sum, [, , , , , params]) => sum + (params?.length ?? 0), 0)
}

/** Learns properties of known contexts that an older release did not know, if there are any. */
export async function learnProperties({ db, key, activity, exclusively }: Refreshing): Promise<void> {
  const { missing } = activity.contexts
  if (missing.length === 0) return
  const saying = await selectContextsSaying(db, key, missing)
  await exclusively(() => activity.learnProperties(saying))
}

/** Ids in one statement. */
const IDS_AT_ONCE = 20_000

/** Whether the database has, by the same ids, all names that have events and all contexts that say anything. */
export async function hasAllIds({ db, key, activity }: Refreshing): Promise<boolean> {
  for (const [kind, ids] of [
    ['names', activity.segments.usedNameIds()],
    ['contexts', activity.contexts.sayingIds()],
  ] as const) {
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const some = [...ids.slice(from, from + IDS_AT_ONCE)]
      const [found] = await countKnown(db, key, { kind, ids: some })
      if (found?.count !== some.length) return false
    }
  }
  return true
}

/** Asks the database which users it knew before a day: 1 or 0 for each. */
export async function readKnownBefore({ db, key, activity }: Refreshing, day: number): Promise<Uint8Array> {
  const ids = activity.telegramIds()
  const marks = new Uint8Array(ids.length)
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const asked = { ids: [...ids.slice(from, from + IDS_AT_ONCE)], time: activity.calendar.startOf(day) }
    for (const { telegramId } of await selectKnownBefore(db, key, asked)) {
      const user = activity.userOf(telegramId)
      if (user !== null) marks[user] = 1
    }
  }
  return marks
}

export { countEvents, type DayCount }

async function replace(read: readonly ReadRange[], refreshing: Refreshing, isForced = false): Promise<void> {
  const { activity, exclusively } = refreshing
  const rows = read.flatMap((range) => range.rows)
  const from = activity.keptFrom
  const keptSince = from === null ? Number.NEGATIVE_INFINITY : activity.calendar.startOf(from)
  const isKept = ([, time]: StoredEventRow) => time >= keptSince
  await learn(rows.filter(isKept), refreshing)
  // Also of users whose events are not kept: one may have been there earlier than was known.
  const known = from === null ? undefined : await marksOf(rows, refreshing, keptSince)
  const isNew = (row: StoredEventRow) => isKept(row) && activity.userOf(row[2]) === null
  const newUsers = activity.remembers ? distinct(rows.filter(isNew), ([, , telegramId]) => telegramId) : []
  const remembered = await readRemembered(newUsers, refreshing)
  await exclusively(() => {
    const ranges = read.map((range) => toChunks({ ...range, rows: range.rows.filter(isKept) }, activity))
    activity.replace(ranges, { isForced, known, remembered })
  })
}

/** What the database remembers of these users, whose contexts are known then. */
async function readRemembered(telegramIds: readonly number[], refreshing: Refreshing): Promise<RememberedRows> {
  const { db, key } = refreshing
  const found = await readRememberedRows(db, key, telegramIds)
  const contexts = [...found.values()].flatMap(({ context, startContext }) => [context, startContext])
  await learnIds({ names: [], contexts: contexts.filter((id) => id !== 0) }, refreshing)
  return found
}

/** Finds out whether the database remembers anything of anybody. */
export async function learnWhetherRemembered({ db, key, activity, exclusively }: Refreshing): Promise<void> {
  if (activity.remembers) return
  const [row] = await selectRemembering(db, key)
  if (row) await exclusively(() => activity.remember(new Map()))
}

/** Learns what the database remembers of the known users with messenger ids from one to another, both inclusive. */
export async function rememberUsers(refreshing: Refreshing, { from: first, to: last }: Span): Promise<void> {
  const { activity, exclusively } = refreshing
  // Also of users who come later.
  await exclusively(() => activity.remember(new Map()))
  const ids = activity.telegramIds().filter((id) => id >= Math.max(1, first) && id <= last)
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const remembered = await readRemembered([...ids.slice(from, from + IDS_AT_ONCE)], refreshing)
    await exclusively(() => activity.remember(remembered))
  }
}

/** The marks of these events' users: whether they were there before a moment. */
async function marksOf(rows: readonly StoredEventRow[], { db, key }: Refreshing, time: number): Promise<KnownMarks> {
  const ids = distinct(rows, ([, , telegramId]) => telegramId)
  if (ids.length === 0) return new Map()
  const found = await selectKnownBefore(db, key, { ids, time })
  const known = new Set(found.map(({ telegramId }) => telegramId))
  return new Map(ids.map((id) => [id, Number(known.has(id))]))
}

/** Names and contexts that these events point at are never changed in the database, so each is read once. */
function learn(rows: readonly StoredEventRow[], refreshing: Refreshing): Promise<void> {
  const [names, contexts] = [rows.map(([nameId]) => nameId), rows.map(([, , , , contextId]) => contextId)]
  return learnIds({ names, contexts }, refreshing)
}

async function learnIds(
  ids: { readonly names: readonly number[]; readonly contexts: readonly number[] },
  { db, activity, exclusively }: Refreshing,
): Promise<void> {
  const nameIds = [...new Set(ids.names)].filter((id) => !activity.segments.hasName(id))
  const contextIds = [...new Set(ids.contexts)].filter((id) => !activity.contexts.has(id))
  if (nameIds.length === 0 && contextIds.length === 0) return
  const [names, contexts] = [await selectNames(db, nameIds), await selectContexts(db, contextIds)]
  await exclusively(() => activity.learn(names, contexts))
}

function distinct(rows: readonly StoredEventRow[], idOf: (row: StoredEventRow) => number): number[] {
  return [...new Set(rows.map(idOf))]
}

function toChunks({ after, upTo, rows }: ReadRange, activity: Activity): RangeContents {
  const byName = Map.groupBy(rows, ([nameId]) => nameId)
  return { after, upTo, chunks: new Map([...byName].map(([nameId, own]) => [nameId, toChunk(own, activity)])) }
}

function toChunk(rows: readonly StoredEventRow[], activity: Activity): Chunk {
  return {
    times: Float64Array.from(rows, ([, time]) => time),
    users: Uint32Array.from(rows, ([, , telegramId]) => activity.userOrdinal(telegramId)),
    contexts: Uint32Array.from(rows, ([, , , , contextId]) => activity.contexts.ordinalOf(contextId)),
    keys: Float64Array.from(rows, ([, , , key]) => key),
    params: toParamColumns(rows.map(([, , , , , params]) => params)),
  }
}

function cursorOf([nameId, time, telegramId, key]: StoredEventRow): EventCursor {
  return { nameId, time, telegramId, key }
}

function compareCursors(a: EventCursor, b: EventCursor): number {
  return a.nameId - b.nameId || compare(a, b)
}
