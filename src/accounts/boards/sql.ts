import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { selectRow } from '../../storage/json-rows.ts'
import { boards, shares } from '../../storage/schema.ts'

export type BoardRow = typeof boards.$inferSelect

interface BoardKey {
  readonly applicationId: number
  readonly id: string
}

function isBoard({ applicationId, id }: BoardKey) {
  return and(eq(boards.applicationId, applicationId), eq(boards.id, id))
}

export function selectBoards(db: Database, applicationId: number) {
  return db.select().from(boards).where(eq(boards.applicationId, applicationId))
}

export function selectBoard(db: Database, key: BoardKey) {
  return db.select().from(boards).where(isBoard(key))
}

/** Returns nothing if that would be more than `most` boards. */
export function insertBoard(db: Database, row: BoardRow, most: number) {
  const others = db.$count(boards, eq(boards.applicationId, row.applicationId))
  return db
    .insert(boards)
    .select(selectRow(boards, row, sql`${others} < ${most}`))
    .returning({ id: boards.id })
}

/** Returns nothing if the stored board is no longer as it was read. */
export function updateBoard(db: Database, read: BoardRow, fields: Pick<BoardRow, 'name' | 'query' | 'reports'>) {
  const isAsRead = and(eq(boards.name, read.name), eq(boards.query, read.query), eq(boards.reports, read.reports))
  return db
    .update(boards)
    .set(fields)
    .where(and(isBoard(read), isAsRead))
    .returning({ id: boards.id })
}

/** With its links. */
export function deleteBoardRows(db: Database, key: BoardKey) {
  return [
    db.delete(shares).where(and(eq(shares.applicationId, key.applicationId), eq(shares.boardId, key.id))),
    db.delete(boards).where(isBoard(key)).returning({ name: boards.name }),
  ] as const
}
