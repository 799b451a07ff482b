import type { UserShare } from '../../storage/activity.ts'

/** Events of an application within a time range, after a position. */
export interface EventExportQuery {
  readonly applicationId: number
  /** Only events of these users. */
  readonly users: UserShare
  /** Milliseconds since 1970 UTC, the end exclusive. */
  readonly from: number
  readonly to: number
  /** Null: from the start. */
  readonly after: ExportPosition | null
}

/** The position of an event in an export, by which it is ordered. */
export interface ExportPosition {
  readonly time: number
  readonly telegramId: number
  readonly key: number
  /** -1: before all names. */
  readonly nameId: number
}

export interface UserExportQuery {
  readonly applicationId: number
  /** Only these. */
  readonly users: UserShare
  /** Only users with greater ids; 0 from the start. */
  readonly after: number
}

const EVENT_CURSOR = /^(\d{1,16})-(\d{1,16})-(\d{1,15})(?:-(\d{1,16}))?$/

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

export function comparePositions(a: ExportPosition, b: ExportPosition): number {
  return a.time - b.time || a.telegramId - b.telegramId || a.key - b.key || a.nameId - b.nameId
}
