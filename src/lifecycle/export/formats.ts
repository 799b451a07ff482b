import { SOURCE_PARTS } from '../../base/sources.ts'
import { BYTE_ORDER_MARK, toRecord } from '../../base/text/csv.ts'
import { toIso } from '../../base/time/days.ts'
import type { ExportedUser, FORMATS } from './contract.ts'
import type { ExportedEvent } from './events.ts'
import { CONTEXT_NAMES, USER_NAMES } from './names.ts'

/** The last line of an export. */
export interface End {
  /** The `after` with which to continue; null if there was nothing. */
  readonly cursor: string | null
  /** Whether nothing is left. */
  readonly isComplete: boolean
}

export interface Format<T> {
  readonly contentType: string
  readonly head: string
  line(item: T): string
  end(end: End): string
}

type Formats<T> = Readonly<Record<(typeof FORMATS)[number], Format<T>>>

/** In a table, only the last row has values in these columns, and it has no others. */
const END_COLUMNS = ['cursor', 'complete']

const EVENT_COLUMNS = ['name', 'time', 'telegram_id', 'event_id', 'key', 'session', ...CONTEXT_NAMES.keys(), 'params']

export const EVENT_FORMATS: Formats<ExportedEvent> = {
  ndjson: lines(({ name, time, telegramId, eventId, key, session, context, params }) => {
    const known = `"event_id":${JSON.stringify(eventId)},"key":${key},"session":${JSON.stringify(session)}`
    return `{"name":${JSON.stringify(name)},"time":"${toIso(time)}","telegram_id":${telegramId},${known},"context":${context.json},"params":${params}}`
  }),
  csv: table(EVENT_COLUMNS, ({ name, time, telegramId, eventId, key, session, context, params }) => {
    const properties = [...CONTEXT_NAMES.keys()].map((property) => toText(context.properties[property]))
    return [name, toIso(time), telegramId, toText(eventId), key, toText(session), ...properties, toText(params)]
  }),
}

const USER_PROPERTY_NAMES = [...USER_NAMES.keys(), 'utm']
const USER_TOTALS = [
  'telegram_id',
  'first_active_at',
  'last_active_at',
  'total_events',
  'total_sessions',
  'curr_volume',
] as const

/** Keeps a line short enough for an import: a session has at most 1,024 characters, each of up to three bytes. */
const SESSIONS_A_LINE = 250

export const USER_FORMATS: Formats<ExportedUser> = {
  ndjson: lines((user) => {
    const parts = Math.max(1, Math.ceil(user.sessions.length / SESSIONS_A_LINE))
    return Array.from({ length: parts }, (_, part) => {
      const sessions = user.sessions.slice(part * SESSIONS_A_LINE, (part + 1) * SESSIONS_A_LINE)
      return JSON.stringify({ ...user, sessions })
    }).join('\n')
  }),
  csv: table(
    [...USER_TOTALS, ...USER_PROPERTY_NAMES, 'stamps', 'sessions', 'first', 'acquired_by', ...SOURCE_PARTS],
    (user) => [
      ...USER_TOTALS.map((column) => user[column]),
      ...USER_PROPERTY_NAMES.map((property) => toText(user.said[property])),
      JSON.stringify(user.stamps),
      JSON.stringify(user.sessions),
      user.first ? JSON.stringify(user.first) : '',
      user.acquired_by ? JSON.stringify(user.acquired_by) : '',
      ...SOURCE_PARTS.map((part) => toText(user[part])),
    ],
  ),
}

function toText(value: string | number | boolean | null | undefined): string | number {
  return typeof value === 'number' ? value : String(value ?? '')
}

function lines<T>(toJson: (item: T) => string): Format<T> {
  return {
    contentType: 'application/x-ndjson',
    head: '',
    line: (item) => `${toJson(item)}\n`,
    end: ({ cursor, isComplete }) => `${JSON.stringify({ cursor, complete: isComplete })}\n`,
  }
}

function table<T>(columns: readonly string[], toCells: (item: T) => (string | number)[]): Format<T> {
  const nothing = columns.map(() => '')
  return {
    contentType: 'text/csv; charset=utf-8',
    head: BYTE_ORDER_MARK + toRecord([...columns, ...END_COLUMNS]),
    line: (item) => toRecord([...toCells(item), '', '']),
    end: ({ cursor, isComplete }) => toRecord([...nothing, cursor ?? '', String(isComplete)]),
  }
}
