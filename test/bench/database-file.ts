import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** The part of D1 that the service uses, in memory and with the service's tables: so columns are refreshed without a runtime. */
export function openDatabaseInMemory(): { readonly binding: D1Database; readonly sqlite: DatabaseSync } {
  const sqlite = new DatabaseSync(':memory:')
  const migrations = join(import.meta.dirname, '../../migrations')
  for (const file of readdirSync(migrations).sort()) {
    if (file.endsWith('.sql')) sqlite.exec(readFileSync(join(migrations, file), 'utf8'))
  }
  const statementOf = (text: string, values: SQLInputValue[] = []) => {
    const rows = (isRaw: boolean) => {
      const prepared = sqlite.prepare(text)
      prepared.setReturnArrays(isRaw)
      return prepared.all(...values)
    }
    const all = async () => ({ results: rows(false), success: true, meta: {} })
    return { bind: (...bound: SQLInputValue[]) => statementOf(text, bound), all, run: all, raw: async () => rows(true) }
  }
  const batch = async (statements: readonly ReturnType<typeof statementOf>[]) => {
    sqlite.exec('begin')
    const results = []
    for (const statement of statements) results.push(await statement.all())
    sqlite.exec('commit')
    return results
  }
  return { binding: { prepare: (text: string) => statementOf(text), batch } as unknown as D1Database, sqlite }
}
