/** What is meant: one page of what a user did, newest first. */
export interface UserEventsQuery {
  readonly telegramId: number
  readonly limit: number
  /** Only events that stand after this one; null for the first page. */
  readonly before: Position | null
}

/** Where an event stands among those of its user. */
export interface Position {
  readonly time: number
  readonly key: number
}

const CURSOR = /^(\d{1,16})-(\d{1,16})$/

/** A position as an answer gives it, for the request of the next page. */
export function toCursor({ time, key }: Position): string {
  return `${time}-${key}`
}

/** Null where it is none. */
export function parseCursor(text: string): Position | null {
  const [time, key] = (CURSOR.exec(text) ?? []).slice(1).map(Number)
  return Number.isSafeInteger(time) && Number.isSafeInteger(key) ? { time: time as number, key: key as number } : null
}
