import { and, eq, ne, sql } from 'drizzle-orm'
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

/** Replaces a board of the same id. Returns nothing if that would be more than `most` boards. */
export function upsertBoard(db: Database, row: BoardRow, most: number) {
  const { name, query, reports } = row
  const { applicationId, id } = boards
  const others = db.$count(boards, and(eq(applicationId, row.applicationId), ne(id, row.id)))
  return db
    .insert(boards)
    .select(selectRow(boards, row, sql`${others} < ${most}`))
    .onConflictDoUpdate({ target: [applicationId, id], set: { name, query, reports } })
    .returning({ id })
}

/** With its links. */
export function deleteBoardRows(db: Database, key: BoardKey) {
  return [
    db.delete(shares).where(and(eq(shares.applicationId, key.applicationId), eq(shares.boardId, key.id))),
    db.delete(boards).where(isBoard(key)).returning({ name: boards.name }),
  ] as const
}
