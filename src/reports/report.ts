import type { Columns } from '../columns/columns.ts'
import type { Database } from '../storage/database.ts'

/** A question that an application's objects answer from columns. Queries and parts travel between Worker and object as they are. */
export interface Report<Query, Part, Result> {
  readonly name: string
  /** What one object answers, about its own users. Pure; yields every few ten thousand events, so that others get their turn. */
  part(columns: Columns, query: Query): Generator<void, Part>
  /** What the parts of all objects say together. Pure. */
  result(parts: readonly Part[], query: Query): Result
}

/** A question that the database answers: how it is asked, and what its rows mean. */
export interface DatabaseReport<Query, Row, Result> {
  readonly name: string
  /** Built, not run: it can be printed, explained and batched. */
  statement(db: Database, query: Query): Statement<Row>
  /** Pure. */
  result(rows: Row[], query: Query): Result
}

interface Statement<Row> extends PromiseLike<Row[]> {
  toSQL(): { sql: string; params: unknown[] }
}
