import type { Database } from '../storage/database.ts'
import type { DatabaseReport } from './report.ts'

export async function run<Query, Row, Result>(
  report: DatabaseReport<Query, Row, Result>,
  query: Query,
  db: Database,
): Promise<Result> {
  const rows = await report.statement(db, query)
  return report.result(rows, query)
}
