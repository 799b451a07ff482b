import type { Columns } from '../../../columns/columns.ts'
import { FIGURES } from '../../catalogue.ts'
import type { AskedFigure, FigureQuery } from '../../engine/cohort-rule.ts'
import type { AnyFigureUsers, FigureContext } from '../../engine/figures.ts'
import type { Bounds } from '../../engine/report.ts'

/** Finds the figures of a question by its path, which was checked before; throws if there are none. */
function usersOf(question: string): AnyFigureUsers {
  const users = FIGURES.get(question)
  if (!users) throw new Error(`no figures of ${question}`)
  return users
}

export function toFigureQuery({ question, params, cell }: AskedFigure, context: FigureContext): FigureQuery {
  return { question, query: usersOf(question).toQuery(params, cell, context) }
}

export function findFigureUsers(
  columns: Columns,
  { question, query }: FigureQuery,
  bounds: Bounds,
): Generator<void, Uint8Array> {
  return usersOf(question).find(columns, query, bounds)
}
