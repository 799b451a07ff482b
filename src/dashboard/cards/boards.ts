import type { SavedQuestion } from '../../accounts/applications/saved-questions.ts'
import type { Board } from '../../accounts/boards/boards.ts'
import { readView, type View } from '../request/address.ts'

/** The reports of a board that are still saved, in its order. */
export function reportsOf({ reports }: Pick<Board, 'reports'>, saved: readonly SavedQuestion[]): SavedQuestion[] {
  return reports.flatMap((name) => saved.find((question) => question.name === name) ?? [])
}

/** The view of a board's own period and filters. */
export function viewOf({ query }: Pick<Board, 'query'>, today: number): View {
  return readView(new URL(`https://nowhere.invalid/?${query}`), today)
}
