import { Failure } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { type BoardRow, deleteBoardRows, selectBoard, selectBoards, upsertBoard } from './sql.ts'

const MAX_BOARDS = 50
export const MAX_REPORTS = 12

const FULL = `An application has at most ${MAX_BOARDS} boards. Delete one you no longer need.`
const NO_BOARD = 'This board does not exist. It may have been deleted.'

/** Saved reports that are shown together, for one period and with the same filters. */
export type Board = BoardRow

/** By name. */
export async function listBoards(db: Database, applicationId: number): Promise<Board[]> {
  const boards = await selectBoards(db, applicationId)
  return boards.toSorted((a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()))
}

/** Throws `not-found`. */
export async function findBoard(db: Database, applicationId: number, id: string): Promise<Board> {
  const [board] = await selectBoard(db, { applicationId, id })
  if (!board) throw new Failure('not-found', NO_BOARD)
  return board
}

/** Replaces a board of the same id. Throws `conflict` if the application has too many. */
export async function putBoard(db: Database, board: Board): Promise<void> {
  const [stored] = await upsertBoard(db, board, MAX_BOARDS)
  if (!stored) throw new Failure('conflict', FULL)
}

/** With its links, which end. Throws `not-found`. */
export async function deleteBoard(db: BatchDatabase, applicationId: number, id: string): Promise<void> {
  const [, deleted] = await db.batch(deleteBoardRows(db, { applicationId, id }))
  if (deleted.length === 0) throw new Failure('not-found', NO_BOARD)
}
