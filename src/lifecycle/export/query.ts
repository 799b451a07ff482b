import type { UserShare } from '../../storage/activity.ts'

/** What is meant: the events of an application from one moment up to another, after a place among them. */
export interface EventExportQuery {
  readonly applicationId: number
  /** Those of these users alone. */
  readonly users: UserShare
  /** Milliseconds since 1970 UTC, the end exclusive. */
  readonly from: number
  readonly to: number
  /** Null: from the start. */
  readonly after: EventPlace | null
}

/** Where an event stands in an export, which is in this order. */
export interface EventPlace {
  readonly time: number
  readonly telegramId: number
  readonly key: number
  /** Before all names: -1. */
  readonly nameId: number
}

export interface UserExportQuery {
  readonly applicationId: number
  /** These alone. */
  readonly users: UserShare
  /** Only users with greater ids; 0 from the start. */
  readonly after: number
}

const EVENT_CURSOR = /^(\d{1,16})-(\d{1,16})-(\d{1,15})(?:-(\d{1,16}))?$/

/** A place as an export gives it, for what follows behind it. */
export function toCursor({ time, telegramId, key, nameId }: EventPlace): string {
  return `${time}-${telegramId}-${key}-${nameId}`
}

/** The place before an event of which only time, user and key are said, as its line says them; null where it is none. */
export function parseCursor(text: string): EventPlace | null {
  const found = EVENT_CURSOR.exec(text)
  const [time, telegramId, key, nameId] = (found ?? []).slice(1).map((part) => Number(part ?? -1)) as number[]
  const place = { time, telegramId, key, nameId } as EventPlace
  return found && Object.values(place).every(Number.isSafeInteger) ? place : null
}

/** The order of exports. */
export function comparePlaces(a: EventPlace, b: EventPlace): number {
  return a.time - b.time || a.telegramId - b.telegramId || a.key - b.key || a.nameId - b.nameId
}
