import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** The part of an object's storage that columns use, in a SQLite file: so millions of events are asked about without a runtime. */
export function openObjectFile(path: string): DurableObjectStorage {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -2000')
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  const prepare = (query: string) => {
    const known = statements.get(query) ?? database.prepare(query)
    statements.set(query, known)
    return known
  }
  let depth = 0
  return {
    sql: { exec: (query: string, ...values: unknown[]) => cursorOf(prepare(query).all(...values.map(toStored))) },
    transactionSync<T>(write: () => T): T {
      depth += 1
      if (depth === 1) database.exec('begin')
      try {
        return write()
      } finally {
        depth -= 1
        if (depth === 0) database.exec('commit')
      }
    },
  } as unknown as DurableObjectStorage
}

type Row = Record<string, unknown>

function cursorOf(rows: Row[]) {
  const read = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toRead(value)])))
  const iterator = read.values()
  return {
    toArray: () => read,
    next: () => iterator.next(),
    raw: () => read.map((row) => Object.values(row)).values(),
    [Symbol.iterator]: () => iterator,
  }
}

function toStored(value: unknown): SQLInputValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue)
}

/** The platform returns blobs as buffers of their own. */
function toRead(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value
  const { buffer, byteOffset, byteLength } = value
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
}
