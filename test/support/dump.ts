import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Puts what a dump of an older release holds in the place of everything, and applies the migrations that it lacks. */
export async function loadRelease(dump: string): Promise<void> {
  const sql =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%' order by rowid desc"
  const { results: known } = await env.DB.prepare(sql).all<{ name: string }>()
  const later = env.DB.prepare('pragma defer_foreign_keys = on')
  await env.DB.batch([later, ...known.map(({ name }) => env.DB.prepare(`drop table "${name}"`))])
  const statements = dump.split(/;\n/).map((text) => text.replace(/^(--[^\n]*\n)+/, '').trim())
  const [tables, rows] = ['CREATE', 'INSERT'].map((verb) => statements.filter((text) => text.startsWith(verb)))
  await env.DB.batch([later, ...[...(tables ?? []), ...(rows ?? [])].map((text) => env.DB.prepare(text))])
  await applyD1Migrations(env.DB, env.MIGRATIONS)
}
