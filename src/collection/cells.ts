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

/** The JSON of these rows. */
export function textOf(rows: ActivityRows, kind: Kind): string {
  return kind === 'events' ? textOfEvents(rows.events) : JSON.stringify(toCells(rows, kind))
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
