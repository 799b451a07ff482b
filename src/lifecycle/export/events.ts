import { type ActivitySource, readPieces } from '../../accounts/applications/placement.ts'
import { CONTEXT_PROPERTIES, propertyOf } from '../../base/event.ts'
import { MS_PER_HOUR, utcDayOf } from '../../base/time/days.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { merge } from './merge.ts'
import { columnNameOf } from './names.ts'
import { comparePositions, type EventExportQuery, type ExportPosition } from './query.ts'
import { type ExportedEventRow, selectContexts, selectEvents, selectNextTime, selectOnlySessions } from './sql.ts'

export interface ExportedEvent extends ExportPosition {
  readonly name: string
  /** 32 hexadecimal digits; null if none is stored. */
  readonly eventId: string | null
  /** The only session of its user on its day; null if there were several, or none. */
  readonly session: string | null
  readonly context: Context
  /** The JSON of an object. */
  readonly params: string | null
}

interface Context {
  readonly properties: Readonly<Record<string, string | boolean>>
  /** Their JSON. */
  readonly json: string
}

/** The most events of one read, and the most characters of their parameters. */
export const EVENTS_READ = { events: 4_000, characters: 4_000_000 }
const MAX_WIDTH_MS = 400 * 24 * MS_PER_HOUR
const MOST_WIDER = 8
/** Beyond this many, an export forgets the contexts that it read: most events share a few. */
const MAX_CONTEXTS = 10_000

/** An application's events from all of its databases, in the order of exports; each once, even while the application moves. */
export function readAllEvents(
  query: Omit<EventExportQuery, 'users'>,
  reading: ActivitySource,
  read = EVENTS_READ,
): AsyncGenerator<ExportedEvent[]> {
  return readPieces<ExportedEvent>(query.applicationId, reading, (parts, previous) => {
    const last = previous.at(-1)
    const after = last ? { ...last, nameId: -1 } : query.after
    const events = merge(
      parts.map(({ db, users }) => readEvents(db, { ...query, users, after }, read)),
      comparePositions,
    )
    return last ? without(previous.filter(isBeside(last)), events) : events
  })
}

/** If the application moved, a name may have another id by now, so events at the last position are compared by their names. */
async function* without(previous: readonly ExportedEvent[], all: AsyncGenerator<ExportedEvent[]>) {
  for await (const events of all) {
    const others = events.filter((event) => !previous.some((one) => one.name === event.name && isBeside(one)(event)))
    if (others.length > 0) yield others
  }
}

function isBeside(a: ExportPosition): (b: ExportPosition) => boolean {
  return (b) => comparePositions({ ...a, nameId: 0 }, { ...b, nameId: 0 }) === 0
}

/**
 * The events of one database, some thousand at a time. Each read takes a window of time, since events are stored by name: a
 * window that holds too much is read in part, and the next one is narrower.
 */
export async function* readEvents(
  db: BatchDatabase,
  { applicationId, users, from, to, after }: EventExportQuery,
  read = EVENTS_READ,
): AsyncGenerator<ExportedEvent[]> {
  const contexts = new Map<number, Context>()
  let position = after && after.time >= from ? after : startOf(from)
  let width = MS_PER_HOUR
  while (position.time < to) {
    const before = Math.min(position.time + width, to)
    const rows = await selectEvents(db, { applicationId, users, after: position, before, ...read })
    const [first, last] = [rows[0], rows.at(-1)]
    if (first && last) yield describe(rows, { db, applicationId, contexts })
    const isCut = last !== undefined && (last[8] === read.events || rows.length < last[8])
    if (isCut) {
      position = { nameId: last[0], time: last[1], telegramId: last[2], key: last[3] }
      width = Math.max(1, Math.floor(width / 2))
    } else {
      const wider = Math.min(MOST_WIDER, Math.floor(read.events / (rows.length + 1) / 2))
      width = Math.min(width * Math.max(1, wider), MAX_WIDTH_MS)
      const [[next] = [null]] = last ? [[before]] : await selectNextTime(db, applicationId, before)
      if (next === null) return
      position = startOf(next)
    }
  }
}

/** Before all events of this time. */
function startOf(time: number): ExportPosition {
  return { time, telegramId: -1, key: -1, nameId: -1 }
}

interface Describing {
  readonly db: BatchDatabase
  readonly applicationId: number
  /** The contexts that are known already. */
  readonly contexts: Map<number, Context>
}

async function describe(rows: readonly ExportedEventRow[], describing: Describing): Promise<ExportedEvent[]> {
  const [sessions] = await Promise.all([readSessions(rows, describing), learnContexts(rows, describing)])
  return rows.map(([nameId, time, telegramId, key, contextId, params, name, eventId]) => ({
    ...{ nameId, time, telegramId, key, params, name, eventId },
    context: describing.contexts.get(contextId) ?? EMPTY_CONTEXT,
    session: sessions.get(`${telegramId} ${utcDayOf(time)}`) ?? null,
  }))
}

async function readSessions(
  rows: readonly ExportedEventRow[],
  { db, applicationId }: Describing,
): Promise<Map<string, string>> {
  const telegramIds = [...new Set(rows.map(([, , telegramId]) => telegramId))]
  const [from, to] = [(rows[0] as ExportedEventRow)[1], (rows.at(-1) as ExportedEventRow)[1]]
  const found = await selectOnlySessions(db, { applicationId, telegramIds, from, to })
  return new Map(found.map(([telegramId, day, session]) => [`${telegramId} ${day}`, session]))
}

const EMPTY_CONTEXT: Context = { properties: {}, json: '{}' }

async function learnContexts(rows: readonly ExportedEventRow[], { db, contexts }: Describing): Promise<void> {
  if (contexts.size > MAX_CONTEXTS) contexts.clear()
  const unknown = new Set(rows.map(([, , , , contextId]) => contextId).filter((id) => !contexts.has(id)))
  if (unknown.size === 0) return
  for (const [id, ...values] of await selectContexts(db, [...unknown])) contexts.set(id, toContext(values))
}

function toContext(values: readonly (string | number | null)[]): Context {
  const properties: Record<string, string | boolean> = {}
  for (const [index, name] of CONTEXT_PROPERTIES.entries()) {
    const value = values[index] ?? null
    if (value !== null) properties[columnNameOf(name)] = propertyOf(name).type === 'flag' ? value === 1 : String(value)
  }
  return { properties, json: JSON.stringify(properties) }
}
