import type { Calendar } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import type { Bounds } from './report.ts'

/** What the users of a figure depend on besides the question and events. */
export interface FigureContext {
  readonly calendar: Calendar
  /** The day on which it is asked. */
  readonly today: number
  /** What counts as revenue. */
  readonly revenueRules: readonly RevenueRule[]
}

/**
 * How a question says which users its figures count: the Worker turns parameters and a cell into a query of plain data, and each object
 * finds those of its own users. A cell that the answer does not have counts nobody.
 */
export interface FigureUsers<Params, Cell, Query> {
  toQuery(params: Params, cell: Cell, context: FigureContext): Query
  /** By user: 1 for those whom the figure counts. */
  find(columns: Columns, query: Query, bounds: Bounds): Generator<void, Uint8Array>
}

export type AnyFigureUsers = FigureUsers<unknown, unknown, unknown>
