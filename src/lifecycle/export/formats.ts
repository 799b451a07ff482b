import { BYTE_ORDER_MARK, toRecord } from '../../base/text/csv.ts'
import { toIso } from '../../base/time/days.ts'
import type { ExportedUser, FORMATS } from './contract.ts'
import type { ExportedEvent } from './events.ts'
import { CONTEXT_NAMES, USER_NAMES } from './names.ts'

/** What the last line of an export says. */
export interface End {
  /** The `after` with which it goes on; null where there was nothing. */
  readonly cursor: string | null
  /** Whether this was the last of it. */
  readonly isComplete: boolean
}

/** How an export is written. */
export interface Format<T> {
  readonly contentType: string
  readonly head: string
  line(item: T): string
  end(end: End): string
}

type Formats<T> = Readonly<Record<(typeof FORMATS)[number], Format<T>>>

/** Of a table for spreadsheets the last row has nothing in all other columns. */
const END_COLUMNS = ['cursor', 'complete']

const EVENT_COLUMNS = ['name', 'time', 'telegram_id', 'event_id', 'key', 'session', ...CONTEXT_NAMES.keys(), 'params']

export const EVENT_FORMATS: Formats<ExportedEvent> = {
  ndjson: lines(({ name, time, telegramId, eventId, key, session, context, params }) => {
    const [said, at] = [JSON.stringify(name), toIso(time)]
    const known = `"event_id":${JSON.stringify(eventId)},"key":${key},"session":${JSON.stringify(session)}`
    return `{"name":${said},"time":"${at}","telegram_id":${telegramId},${known},"context":${context.json},"params":${params}}`
  }),
  csv: table(EVENT_COLUMNS, ({ name, time, telegramId, eventId, key, session, context, params }) => {
    const said = [...CONTEXT_NAMES.keys()].map((property) => toText(context.said[property]))
    return [name, toIso(time), telegramId, toText(eventId), key, toText(session), ...said, toText(params)]
  }),
}

const USER_SAID = [...USER_NAMES.keys(), 'utm']
const USER_TOTALS = [
  'telegram_id',
  'first_active_at',
  'last_active_at',
  'total_events',
  'total_sessions',
  'curr_volume',
] as const

/** Of a line, so that an import takes it whole: 1,024 characters each at most, of up to three bytes. */
const SESSIONS_A_LINE = 250

export const USER_FORMATS: Formats<ExportedUser> = {
  ndjson: lines((user) => {
    const parts = Math.max(1, Math.ceil(user.sessions.length / SESSIONS_A_LINE))
    return Array.from({ length: parts }, (_, part) => {
      const sessions = user.sessions.slice(part * SESSIONS_A_LINE, (part + 1) * SESSIONS_A_LINE)
      return JSON.stringify({ ...user, sessions })
    }).join('\n')
  }),
  csv: table([...USER_TOTALS, ...USER_SAID, 'stamps', 'sessions'], (user) => [
    ...USER_TOTALS.map((column) => user[column]),
    ...USER_SAID.map((property) => toText(user.said[property])),
    JSON.stringify(user.stamps),
    JSON.stringify(user.sessions),
  ]),
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
