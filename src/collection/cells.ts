import { CONTEXT_PROPERTIES, USER_PROPERTIES } from '../base/event.ts'
import type { ActivityRows } from './rows.ts'

export type Kind = keyof ActivityRows
export type Cells = { readonly [K in Kind]: readonly (keyof ActivityRows[K][number])[] }

/** Statements read rows as JSON arrays of these cells: objects would take twice the text and longer to read. */
export const CELLS: Cells = {
  names: ['applicationId', 'name', 'share'],
  contexts: ['applicationId', 'fingerprint', 'share', ...CONTEXT_PROPERTIES],
  userIds: ['applicationId', 'telegramId', 'share'],
  events: ['name', 'context', 'time', 'telegramId', 'key', 'params'],
  keys: ['user', 'name', 'time', 'telegramId', 'key'],
  users: [
    ...(['applicationId', 'telegramId', 'index', 'events', 'volumes', 'sessions'] as const),
    ...(['firstActiveAt', 'lastActiveAt', 'time', 'tie', 'utm', 'utmTime', 'utmTie'] as const),
    ...USER_PROPERTIES,
  ],
  sessions: ['applicationId', 'telegramId', 'session', 'day'],
  eventIds: ['applicationId', 'row', 'members'],
  changes: ['name', 'bucket', 'isLive', 'from', 'to', 'slots'],
}

/** The JSON of the rows of each kind, each a parameter of statements. */
export type RowTexts = Readonly<Record<Kind, string>>

export const NO_ROWS = '[]'

export function toTexts(rows: ActivityRows): RowTexts {
  const textOf = (kind: Kind) => (kind === 'events' ? textOfEvents(rows.events) : JSON.stringify(toCells(rows, kind)))
  return Object.fromEntries(KINDS.map((kind) => [kind, textOf(kind)])) as RowTexts
}

const KINDS = Object.keys(CELLS) as Kind[]

/** D1 takes 2 MB. */
const MAX_VALUE_BYTES = 1_900_000

/** Whether each of them may be a parameter. */
export function areBindable(texts: RowTexts): boolean {
  return KINDS.every((kind) => Buffer.byteLength(texts[kind]) <= MAX_VALUE_BYTES)
}

function toCells<K extends Kind>(rows: ActivityRows, kind: K): unknown[][] {
  const cells = CELLS[kind]
  return rows[kind].map((row: ActivityRows[K][number]) => cells.map((name) => row[name]))
}

/** Numbers, and parameters, which are JSON already. */
function textOfEvents(rows: ActivityRows['events']): string {
  const texts = rows.map(({ name, context, time, telegramId, key, params }) => {
    return `[${name},${context},${time},${telegramId},${key},${params}]`
  })
  return `[${texts.join(',')}]`
}
