import type { BatchDatabase } from '../storage/database.ts'
import { MS_PER_DAY } from '../time/days.ts'
import type { Activity, KnownMarks, Place, Stretch } from './activity.ts'
import { type Block, compare, endOf, FIRST, LAST } from './block.ts'
import { toParamColumns } from './param-columns.ts'
import {
  countEvents,
  countKnown,
  type DayCount,
  type EventRow,
  type NameStretch,
  type ReadLimit,
  type Share,
  selectAfter,
  selectContexts,
  selectContextsSaying,
  selectKnownBefore,
  selectNames,
  selectStretches,
} from './sql.ts'

export interface Refreshing {
  readonly db: BatchDatabase
  readonly share: Share
  readonly activity: Activity
  /** Runs something while no question is being answered. */
  readonly exclusively: <T>(work: () => T) => Promise<T>
}

/** What one read of the database brings at most: parameters may have 16 KB each, and lie in memory several times. */
const READ: ReadLimit = { events: 2_000, characters: 4_000_000 }
/** Stretches that one read asks for. */
const READ_STRETCHES = 1_000

/** Of one name, both ends inclusive. */
export interface TimeSpan {
  readonly nameId: number
  readonly fromTime: number
  readonly toTime: number
}

/** Replaces what is known of these spans by what the database has in them. */
export async function refreshSpans(spans: readonly TimeSpan[], refreshing: Refreshing): Promise<void> {
  let waiting = withoutOverlaps(spans).map(toStretch)
  while (waiting.length > 0) {
    const asked = waiting.slice(0, READ_STRETCHES)
    const rows = await selectStretches(refreshing.db, refreshing.share, { stretches: asked, limit: READ })
    const last = endOfRead(rows)
    await replace(distribute(rows, asked, last), refreshing)
    waiting = [...unread(asked, last), ...waiting.slice(asked.length)]
  }
}

/** Where to read on; null where there is no more. */
function endOfRead(rows: readonly EventRow[]): Place | null {
  const isFull = rows.length === READ.events || weightOf(rows) > READ.characters
  return isFull ? placeOf(rows.at(-1) as EventRow) : null
}

/** In order of names and times; spans that meet become one. */
function withoutOverlaps(spans: readonly TimeSpan[]): TimeSpan[] {
  const result: TimeSpan[] = []
  for (const span of spans.toSorted((a, b) => a.nameId - b.nameId || a.fromTime - b.fromTime)) {
    const last = result.at(-1)
    if (last?.nameId !== span.nameId || last.toTime < span.fromTime) result.push(span)
    else result[result.length - 1] = { ...last, toTime: Math.max(last.toTime, span.toTime) }
  }
  return result
}

function toStretch({ nameId, fromTime, toTime }: TimeSpan): NameStretch {
  return { after: { nameId, ...endOf(fromTime - 1) }, upTo: { nameId, ...endOf(toTime) } }
}

/** A stretch of one or more names, with its events in order. */
interface ReadStretch extends NameStretch {
  readonly rows: readonly EventRow[]
}

/** The events of each stretch. The one in which the read ended, at `last`, is cut there; those behind it were not read. */
function distribute(rows: readonly EventRow[], asked: readonly NameStretch[], last: Place | null): ReadStretch[] {
  const result: ReadStretch[] = []
  let next = 0
  for (const { after, upTo } of asked) {
    const isCut = last !== null && comparePlaces(last, upTo) <= 0
    const from = next
    while (next < rows.length && comparePlaces(placeOf(rows[next] as EventRow), upTo) <= 0) next += 1
    result.push({ after, upTo: isCut ? last : upTo, rows: rows.slice(from, next) })
    if (isCut) break
  }
  return result
}

/** What is left of these stretches once everything up to `last` was read. */
function unread(asked: readonly NameStretch[], last: Place | null): NameStretch[] {
  if (!last) return []
  const first = asked.findIndex(({ upTo }) => comparePlaces(last, upTo) <= 0)
  return asked.slice(first).map((stretch, place) => (place === 0 ? { ...stretch, after: last } : stretch))
}

/** Before the events of all names. */
export const START: Place = { nameId: 0, ...FIRST }
const END: Place = { nameId: Number.MAX_SAFE_INTEGER, ...LAST }

/** Replaces what is known after a place by what the database has there, a portion at a time. Returns where to go on; null at the end. */
export async function refreshAfter(after: Place, refreshing: Refreshing): Promise<Place | null> {
  const { db, share } = refreshing
  const rows: EventRow[] = []
  let last: Place | null = after
  while (last && rows.length < PORTION_EVENTS && weightOf(rows) < PORTION_CHARACTERS) {
    const read: EventRow[] = await selectAfter(db, share, { after: last, limit: READ })
    rows.push(...read)
    last = endOfRead(read)
  }
  await replace([{ after, upTo: last ?? END, rows }], refreshing, true)
  return last
}

/** Written at a time, so that leaves are not rewritten for a few events. */
const PORTION_EVENTS = 16_000
const PORTION_CHARACTERS = 8_000_000

function weightOf(rows: readonly EventRow[]): number {
  return rows.reduce((sum, [, , , , , params]) => sum + (params?.length ?? 0), 0)
}

/** Learns the properties of known contexts that an older release did not know, if there are any. */
export async function learnProperties({ db, share, activity, exclusively }: Refreshing): Promise<void> {
  const { missingProperties } = activity
  if (missingProperties.length === 0) return
  const saying = await selectContextsSaying(db, share, missingProperties)
  await exclusively(() => activity.learnProperties(saying))
}

/** Ids that one statement looks for. */
const IDS_AT_ONCE = 20_000

/** Whether the database has all names and contexts that are known, by the same ids. */
export async function hasAllIds({ db, share, activity }: Refreshing): Promise<boolean> {
  for (const [kind, ids] of [
    ['names', activity.nameIds()],
    ['contexts', activity.contextIds()],
  ] as const) {
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const some = [...ids.slice(from, from + IDS_AT_ONCE)]
      const [found] = await countKnown(db, share, { kind, ids: some })
      if (found?.count !== some.length) return false
    }
  }
  return true
}

/** By user a mark for those whom the database knew before a day. */
export async function readKnownBefore({ db, share, activity }: Refreshing, day: number): Promise<Uint8Array> {
  const ids = activity.telegramIds()
  const marks = new Uint8Array(ids.length)
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const asked = { ids: [...ids.slice(from, from + IDS_AT_ONCE)], time: day * MS_PER_DAY }
    for (const { telegramId } of await selectKnownBefore(db, share, asked)) {
      const user = activity.userOf(telegramId)
      if (user !== null) marks[user] = 1
    }
  }
  return marks
}

export type { DayCount }

/** How many events the database has on each of these days, for each name that has any. */
export async function countStored(db: BatchDatabase, share: Share, days: readonly number[]): Promise<DayCount[]> {
  return countEvents(db, share, days)
}

async function replace(read: readonly ReadStretch[], refreshing: Refreshing, isForced = false): Promise<void> {
  const { activity, exclusively } = refreshing
  const rows = read.flatMap((stretch) => stretch.rows)
  const from = activity.keptFrom
  const isKept = ([, time]: EventRow) => from === null || time >= from * MS_PER_DAY
  await learn(rows.filter(isKept), refreshing)
  // Also of users whose events are not kept: somebody may have come earlier than was known.
  const known = from === null ? undefined : await marksOf(rows, refreshing, from)
  await exclusively(() => {
    const stretches = read.map((stretch) => toBlocks({ ...stretch, rows: stretch.rows.filter(isKept) }, activity))
    activity.replace(stretches, { isForced, ...(known && { known }) })
  })
}

/** Of the users of these events. */
async function marksOf(rows: readonly EventRow[], { db, share }: Refreshing, day: number): Promise<KnownMarks> {
  const ids = distinct(rows, ([, , telegramId]) => telegramId)
  if (ids.length === 0) return new Map()
  const found = await selectKnownBefore(db, share, { ids, time: day * MS_PER_DAY })
  const known = new Set(found.map(({ telegramId }) => telegramId))
  return new Map(ids.map((id) => [id, Number(known.has(id))]))
}

/** Names and contexts that these events point at are never changed in the database, so each is read once. */
async function learn(rows: readonly EventRow[], { db, activity, exclusively }: Refreshing): Promise<void> {
  const nameIds = distinct(rows, ([nameId]) => nameId).filter((id) => !activity.hasName(id))
  const contextIds = distinct(rows, ([, , , , contextId]) => contextId).filter((id) => !activity.hasContext(id))
  if (nameIds.length === 0 && contextIds.length === 0) return
  const [names, contexts] = [await selectNames(db, nameIds), await selectContexts(db, contextIds)]
  await exclusively(() => activity.learn(names, contexts))
}

function distinct(rows: readonly EventRow[], idOf: (row: EventRow) => number): number[] {
  return [...new Set(rows.map(idOf))]
}

function toBlocks({ after, upTo, rows }: ReadStretch, activity: Activity): Stretch {
  const byName = Map.groupBy(rows, ([nameId]) => nameId)
  return { after, upTo, blocks: new Map([...byName].map(([nameId, own]) => [nameId, toBlock(own, activity)])) }
}

function toBlock(rows: readonly EventRow[], activity: Activity): Block {
  return {
    times: Float64Array.from(rows, ([, time]) => time),
    users: Uint32Array.from(rows, ([, , telegramId]) => activity.userOrdinal(telegramId)),
    contexts: Uint32Array.from(rows, ([, , , , contextId]) => activity.contextOrdinal(contextId)),
    keys: Float64Array.from(rows, ([, , , key]) => key),
    params: toParamColumns(rows.map(([, , , , , params]) => params)),
  }
}

function placeOf([nameId, time, telegramId, key]: EventRow): Place {
  return { nameId, time, telegramId, key }
}

function comparePlaces(a: Place, b: Place): number {
  return a.nameId - b.nameId || compare(a, b)
}
