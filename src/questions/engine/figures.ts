import type { Calendar } from '../../base/time/calendar.ts'
import { type Period, type PeriodParams, resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import type { CellOf, CountedFigures, ParamsOf } from './contract.ts'
import type { Bounds } from './report.ts'

/** What the users of a figure depend on besides the question and events. */
export interface FigureContext {
  readonly calendar: Calendar
  /** The day of the question. */
  readonly today: number
  /** The rules that define revenue. */
  readonly revenueRules: readonly RevenueRule[]
}

/**
 * How a question finds the users that its figures count: the Worker turns parameters and a cell into a query of plain
 * data, and each object finds those of its own users. A cell that the answer does not have counts nobody.
 */
interface FigureUsers<Params, Cell, Query, Context = FigureContext> {
  toQuery(params: Params, cell: Cell, context: Context): Query
  /** Returns one byte per user: 1 if the figure counts the user. */
  find(columns: Columns, query: Query, bounds: Bounds): Generator<void, Uint8Array>
}

/** The figures of a question that count users, and how these users are found. */
export type AnyFigureUsers = CountedFigures & FigureUsers<unknown, unknown, unknown>

/** Joins figures and how their users are found; `toQuery` also gets the period of the parameters. */
export function countedBy<Figures extends CountedFigures, Query>(
  figures: Figures,
  {
    toQuery,
    find,
  }: FigureUsers<ParamsOf<Figures>, CellOf<Figures>, Query, FigureContext & { readonly period: Period }>,
): AnyFigureUsers {
  const users: FigureUsers<ParamsOf<Figures> & PeriodParams, CellOf<Figures>, Query> = {
    toQuery: (params, cell, context) =>
      toQuery(params, cell, { ...context, period: resolvePeriod(params, context.today) }),
    find,
  }
  return { ...figures, ...users } as unknown as AnyFigureUsers
}
