/** Rows that were written, as the platform bills them. */
export interface RowsCount {
  rows: number
  /** Rows that were read. */
  read: number
  /** Rows written by table. */
  readonly tables: Record<string, number>
}

interface Counted {
  readonly table: string
  readonly statement: D1PreparedStatement
  bind(...values: unknown[]): Counted
  all(): Promise<D1Result>
  run(): Promise<D1Result>
  raw(): Promise<unknown[][]>
}

/** Wraps a database so that the rows which its results report as written are added up. */
export function countedDatabase(binding: D1Database, count: RowsCount): D1Database {
  const add = <R extends D1Result>(result: R, table: string): R => {
    const { rows_written: rows, rows_read: read } = result.meta
    count.rows += rows
    count.read += read
    if (rows > 0) count.tables[table] = (count.tables[table] ?? 0) + rows
    return result
  }
  const counted = (statement: D1PreparedStatement, table: string): Counted => ({
    table,
    statement,
    bind: (...values) => counted(statement.bind(...values), table),
    all: async () => add(await statement.all(), table),
    run: async () => add(await statement.run(), table),
    // Only selects are read like this, so it can run twice: this result does not say how many rows it read.
    raw: async () => {
      add(await statement.all(), table)
      return statement.raw()
    },
  })
  const database = {
    prepare: (text: string) => counted(binding.prepare(text), WRITTEN_TABLE.exec(text)?.[1] ?? ''),
    batch: async (statements: readonly Counted[]) => {
      const results = await binding.batch(statements.map(({ statement }) => statement))
      return results.map((result, index) => add(result, statements[index]?.table ?? ''))
    },
  }
  return database as unknown as D1Database
}

const WRITTEN_TABLE = /\b(?:insert into|update|delete from) "?(\w+)/

type Cursor = SqlStorageCursor<Record<string, SqlStorageValue>>

/** Wraps a storage so that it can say how many rows its statements have written since it was last asked. */
export function countedStorage(storage: DurableObjectStorage) {
  let cursors: Cursor[] = []
  const exec = (text: string, ...values: unknown[]) => {
    const cursor = storage.sql.exec(text, ...values)
    cursors.push(cursor)
    return cursor
  }
  const sql = { exec } as unknown as SqlStorage
  const counted = {
    sql,
    transactionSync: <T>(work: () => T) => storage.transactionSync(work),
    deleteAll: () => storage.deleteAll(),
  }
  const takeRows = () => {
    const rows = cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
    cursors = []
    return rows
  }
  return { storage: counted as unknown as DurableObjectStorage, takeRows }
}
