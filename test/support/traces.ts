import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Every place where one of these messenger ids is kept, as a number or within a text: in the databases, in this file's objects and in KV. */
export async function tracesOf(...telegramIds: readonly number[]): Promise<string[]> {
  const found: string[] = []
  const isTrace = (row: Record<string, unknown>) => telegramIds.some((telegramId) => holds(row, telegramId))
  for (const [name, database] of databases()) {
    const tables = await tablesOf(database)
    const all = await database.batch<Record<string, unknown>>(
      tables.map((table) => database.prepare(`select * from ${table}`)),
    )
    found.push(...tables.filter((_, index) => all[index]?.results.some(isTrace)).map((table) => `${name} ${table}`))
  }
  const ids = await listDurableObjectIds(env.APPLICATIONS)
  for (const id of ids.filter((id) => !objectsOfOthers.has(String(id)))) {
    const traces = await runInDurableObject(env.APPLICATIONS.get(id), async (_, { storage }) => {
      const names = storage.sql
        .exec<{ name: string }>(
          "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'",
        )
        .toArray()
      const tables = names
        .map(({ name }) => name)
        .filter((name) => storage.sql.exec(`select * from ${name}`).toArray().some(isTrace))
      const values = [...(await storage.list())].filter(([, value]) => isTrace({ value })).map(([key]) => key)
      return [...tables, ...values]
    })
    found.push(...traces.map((trace) => `object ${trace}`))
  }
  const { keys } = await env.CACHE.list()
  for (const { name } of keys) {
    if (isTrace({ name, value: await env.CACHE.get(name) })) found.push(`KV ${name}`)
  }
  return found
}

function databases(): [string, D1Database][] {
  const bindings = Object.entries(env as unknown as Record<string, unknown>)
  return bindings.filter(([name]) => name === 'DB' || name.startsWith('ACTIVITY_')) as [string, D1Database][]
}

async function tablesOf(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'")
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

function holds(row: Record<string, unknown>, telegramId: number): boolean {
  return Object.values(row).some((value) => {
    const bytes = bytesOf(value)
    return bytes ? inBytes(bytes, telegramId) : JSON.stringify(value ?? null).includes(String(telegramId))
  })
}

/** D1 gives blobs as arrays of bytes. */
function bytesOf(value: unknown): Uint8Array | null {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return Array.isArray(value) ? Uint8Array.from(value) : null
}

function inBytes(bytes: Uint8Array, telegramId: number): boolean {
  if (new TextDecoder('latin1').decode(bytes).includes(String(telegramId))) return true
  return bytes.length % 8 === 0 && new Float64Array(bytes.slice().buffer).includes(telegramId)
}
