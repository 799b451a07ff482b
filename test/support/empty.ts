import { env } from 'cloudflare:workers'

const TABLES = `select name from sqlite_schema where type = 'table'
  and name not glob '_cf_*' and name not glob 'sqlite_*' and name <> 'd1_migrations'`

// Nothing is left of the files before this one, which shared its databases.
await Promise.all([env.DB, env.ACTIVITY_2, env.ACTIVITY_3].map(empty))

async function empty(database: D1Database): Promise<void> {
  const { results } = await database.prepare(TABLES).all<{ name: string }>()
  const deletions = results.map(({ name }) => database.prepare(`delete from "${name}"`))
  await database.batch([database.prepare('pragma defer_foreign_keys = on'), ...deletions])
}
