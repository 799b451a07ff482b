import type { Database } from '../storage/database.ts'

/** A question: how it is asked of the database, and what its rows mean. */
export interface Report<Query, Row, Result> {
  readonly name: string
  /** Built, not run: it can be printed, explained and batched. */
  statement(db: Database, query: Query): Statement<Row>
  /** Pure. */
  result(rows: Row[], query: Query): Result
}

interface Statement<Row> extends PromiseLike<Row[]> {
  toSQL(): { sql: string; params: unknown[] }
}
