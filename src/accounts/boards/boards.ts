import { createHash } from 'node:crypto'
import { Failure } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { type BoardRow, deleteBoardRows, insertBoard, selectBoard, selectBoards, updateBoard } from './sql.ts'

/** The most boards of an application. */
export const MAX_BOARDS = 50
/** The most reports of a board. */
export const MAX_REPORTS = 12

const FULL = `An application has at most ${MAX_BOARDS} boards. Delete one you no longer need.`
const NO_BOARD = 'This board does not exist. It may have been deleted.'
const CHANGED =
  'Somebody changed this board after you opened it. Save again to replace their changes, or reload the page to see them.'

/** Saved reports that are shown together, for one period and with the same filters. */
export type Board = BoardRow

/** Lists an application's boards by name. */
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

/** Throws `conflict` if the application has too many. */
export async function createBoard(db: Database, board: Board): Promise<void> {
  const [stored] = await insertBoard(db, board, MAX_BOARDS)
  if (!stored) throw new Failure('conflict', FULL)
}

export type BoardFields = Pick<Board, 'name' | 'query' | 'reports'>

/** Differs after each change. */
export function revisionOf({ name, query, reports }: BoardFields): string {
  return createHash('sha256')
    .update(JSON.stringify([name, query, reports]))
    .digest('hex')
    .slice(0, 16)
}

interface BoardChange extends BoardFields {
  /** The revision that was changed; empty for whatever is stored. */
  readonly of: string
}

/** Throws `conflict` if `board` is of another revision, or is changed or deleted meanwhile. */
export async function changeBoard(db: Database, board: Board, { of, ...fields }: BoardChange): Promise<void> {
  const isMeant = of === '' || of === revisionOf(board)
  if (!isMeant || (await updateBoard(db, board, fields)).length === 0) throw new Failure('conflict', CHANGED)
}

/** With its links, which end. Throws `not-found`. */
export async function deleteBoard(db: BatchDatabase, applicationId: number, id: string): Promise<void> {
  const [, deleted] = await db.batch(deleteBoardRows(db, { applicationId, id }))
  if (deleted.length === 0) throw new Failure('not-found', NO_BOARD)
}
