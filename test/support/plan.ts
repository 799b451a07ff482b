import { env } from 'cloudflare:workers'

interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

/** The steps by which the database would answer, one line each. */
export async function planOf(statement: Statement): Promise<string[]> {
  const { sql, params } = statement.toSQL()
  const { results } = await env.DB.prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}
