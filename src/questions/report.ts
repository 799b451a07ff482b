import type { Columns } from '../columns/columns.ts'

/** A question that an application's objects answer from columns. Queries and parts travel between Worker and object as they are. */
export interface Report<Query, Part, Result> {
  readonly name: string
  /** What one object answers, about its own users. Pure; yields every few ten thousand events, so that others get their turn. */
  part(columns: Columns, query: Query): Generator<void, Part>
  /** What the parts of all objects say together. Pure. */
  result(parts: readonly Part[], query: Query): Result
}
