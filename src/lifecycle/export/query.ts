import type { UserShare } from '../../storage/activity.ts'

/** Events of an application within a span, after a position among them. */
export interface EventExportQuery {
  readonly applicationId: number
  /** Those of these users alone. */
  readonly users: UserShare
  /** Milliseconds since 1970 UTC, the end exclusive. */
  readonly from: number
  readonly to: number
  /** Null: from the start. */
  readonly after: ExportPosition | null
}

/** The position of an event in an export, which is in this order. */
export interface ExportPosition {
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

/** A position as exports write it, to continue after it. */
export function toCursor({ time, telegramId, key, nameId }: ExportPosition): string {
  return `${time}-${telegramId}-${key}-${nameId}`
}

/** A cursor without a name, made from the time, user and key of a line, is the position before that event. Null if it is not a cursor. */
export function parseCursor(text: string): ExportPosition | null {
  const found = EVENT_CURSOR.exec(text)
  const [time, telegramId, key, nameId] = (found ?? []).slice(1).map((part) => Number(part ?? -1)) as number[]
  const position = { time, telegramId, key, nameId } as ExportPosition
  return found && Object.values(position).every(Number.isSafeInteger) ? position : null
}

/** The order of exports. */
export function comparePositions(a: ExportPosition, b: ExportPosition): number {
  return a.time - b.time || a.telegramId - b.telegramId || a.key - b.key || a.nameId - b.nameId
}
